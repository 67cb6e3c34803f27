/* Positions that wait for a decision: made of words, copied, gone on with (interpreter/native/steps.py has the same
   layout). What runs here is what running/machine.py runs: blocks, until somebody must decide. */
enum { WAIT = -1, CALL = -2, RETURN = -3, ENDED = -4 };
enum { NOT_OVER = -2, SEQUENCE_ENDED = -1 };
#define STEP_WORK 100
#define DECISION_STEPS 20

typedef struct { int64_t work, left, steps, firings, deepest, most_options; } granted_;
static inline int64_t *frame_at(machine *m, int64_t height) { return m->pile + m->height[height]; }
static inline void begin_work(machine *m, int64_t work) {
    m->top = (char *)(((uintptr_t)m->arena + 63) & ~(uintptr_t)63);
    if (UNLIKELY(m->left <= 0)) stop(m, FUEL);
    m->granted = m->meter = work < m->left ? work : m->left;
}
/* why a run was given up; what all runs together may do is used up when that stopped it */
static int64_t given_up(const machine *m, int why, granted_ *g) {
    if (why == FUEL && (m->left <= 0 || (m->meter < 0 && m->granted < m->turns_given))) g->left = 0;
    return why;
}
/* blocks are run until a decision, or the end of the game */
static void advance(machine *m) {
    begin_work(m, m->turns_given);
    m->firings = m->firings_given;
    int64_t fuel = m->steps_given;
    while (m->deep) {
        int64_t *frame = frame_at(m, m->deep - 1);
        int64_t number = frame[0];
        m->frame = (char *)frame;
        while (number >= 0) {
            number = RUN[number](m);
            if (UNLIKELY(--fuel < 0)) stop(m, FUEL);
        }
        if (number == CALL) {
            if (UNLIKELY(m->deep > m->deepest)) stop(m, DEPTH);
        } else if (number == RETURN) m->pile_top = m->height[--m->deep];
        else if (number == WAIT) break;
        else m->deep = m->pile_top = 0;
    }
    if (!m->deep && m->end == NOT_OVER) m->end = SEQUENCE_ENDED;
    m->left -= m->granted - m->meter + STEP_WORK * (m->steps_given - fuel + DECISION_STEPS);
    m->decisions++;
}
static int64_t nth_of_words(machine *m, const int64_t *words, int64_t count, int64_t index) {
    for (int64_t k = 0; k < count; k++) {
        int64_t n = __builtin_popcountll((uint64_t)words[k]);
        if (index < n) return 64 * k + word_nth((uint64_t)words[k], index);
        index -= n;
    }
    stop(m, BOUNDS);
}
/* the option at `index`; -1 is the way out */
static void choose(machine *m, int64_t index) {
    if (UNLIKELY(m->site < 0 || index < -1 || index >= m->offered || (index < 0 && !m->out_))) stop(m, BOUNDS);
    m->declined = index < 0;
    memset(m->chosen, 0, sizeof m->chosen);
    if (index < 0) {
    } else if (m->width) memcpy(m->chosen, m->offer + index * m->width, (size_t)m->width * sizeof *m->chosen);
    else m->chosen[0] = nth_of_words(m, m->offer, m->offer_words, index);
    m->site = -1;
    advance(m);
}

/* ---- positions as words --------------------------------------------------------------------------------- */
enum { P_WORDS, P_DEEP, P_PILE, P_SERIAL, P_SITE, P_WHO, P_OUT, P_WIDTH, P_OFFERED, P_OFFER_WORDS, P_END, P_WINNERS,
       P_PAID, P_REMEMBERED, P_SEED, P_SPARE, P_HEAD };
static int64_t words_needed(const machine *m) {
    return P_HEAD + 3 * PLAYERS + m->deep + WORDS + m->pile_top + m->offer_words + m->remembered + (m->seed_length + 7) / 8;
}
static inline int64_t *put_words(int64_t *to, const void *from, int64_t words) {
    memcpy(to, from, (size_t)words * sizeof *to);
    return to + words;
}
static void keep(const machine *m, int64_t *w) {
    w[P_WORDS] = words_needed(m);
    w[P_DEEP] = m->deep;
    w[P_PILE] = m->pile_top;
    w[P_SERIAL] = m->serial;
    w[P_SITE] = m->site;
    w[P_WHO] = m->who;
    w[P_OUT] = m->out_;
    w[P_WIDTH] = m->width;
    w[P_OFFERED] = m->offered;
    w[P_OFFER_WORDS] = m->offer_words;
    w[P_END] = m->end;
    w[P_WINNERS] = (int64_t)m->winners;
    w[P_PAID] = m->paid;
    w[P_REMEMBERED] = m->remembered;
    w[P_SEED] = (int64_t)m->seed_length;
    w[P_SPARE] = 0;
    w = put_words(w + P_HEAD, m->payee, PLAYERS);
    w = put_words(w, m->gain, 2 * PLAYERS);
    w = put_words(w, m->height, m->deep);
    w = put_words(w, &m->s, WORDS);
    w = put_words(w, m->pile, m->pile_top);
    w = put_words(w, m->offer, m->offer_words);
    for (int64_t k = 0; k < m->remembered; k++) *w++ = (int64_t)m->history[k].key[0];
    if (m->seed_length) w[(m->seed_length - 1) / 8] = 0;
    memcpy(w, m->seed_text, m->seed_length);
}
static void history_room(machine *m, int64_t count) {
    if (LIKELY(count <= m->history_room)) return;
    void *more = realloc(m->history, (size_t)(2 * count) * sizeof *m->history);
    if (!more) stop(m, MEMORY);
    m->history = more;
    m->history_room = 2 * count;
}
static void restore(machine *m, const int64_t *w) {
    m->deep = w[P_DEEP];
    m->pile_top = w[P_PILE];
    m->serial = w[P_SERIAL];
    m->site = w[P_SITE];
    m->who = w[P_WHO];
    m->out_ = w[P_OUT];
    m->width = w[P_WIDTH];
    m->offered = w[P_OFFERED];
    m->offer_words = w[P_OFFER_WORDS];
    m->end = w[P_END];
    m->winners = (m1)w[P_WINNERS];
    m->paid = w[P_PAID];
    m->remembered = w[P_REMEMBERED];
    m->seed_length = (size_t)w[P_SEED];
    offer_room(m, m->offer_words);
    history_room(m, m->remembered);
    w += P_HEAD;
#define GET(TO, COUNT) { memcpy(TO, w, (size_t)(COUNT) * sizeof *w); w += (COUNT); }
    GET(m->payee, PLAYERS)
    GET(m->gain, 2 * PLAYERS)
    GET(m->height, m->deep)
    GET(&m->s, WORDS)
    GET(m->pile, m->pile_top)
    if (m->offer_words) GET(m->offer, m->offer_words)
    for (int64_t k = 0; k < m->remembered; k++) { m->history[k].key[0] = (uint64_t)*w++; m->history[k].key[1] = 0; }
    memcpy(m->seed_text, w, m->seed_length);
}
/* what words of a position that was made by Python may be: a number within limits (0), or None (1), a mask without
   other bits (2), anything (3), a denominator (4), or none (5) */
typedef struct { int64_t kind, low, high; } limit;
static int within(const int64_t *w, const limit *of, int64_t count) {
    for (int64_t k = 0; k < count; k++)
        switch (of[k].kind) {
        case 0: if (w[k] < of[k].low || w[k] > of[k].high) return 0; break;
        case 1: if (w[k] != NONE && (w[k] < of[k].low || w[k] > of[k].high)) return 0; break;
        case 2: if (w[k] & ~of[k].high) return 0; break;
        case 4: if (w[k] <= 0) return 0; break;
        case 5: if (w[k] < 0) return 0; break;
        default: break;
        }
    return 1;
}
typedef struct {
    const limit *state;
    const limit *frames[FRAMES + 1]; /* of every frame its words */
    int64_t sites;
    const int64_t *widths; /* of every decision point, 0 when nobody is ever asked there */
    const limit *options; /* WIDEST for each */
} limits;
#define WIDEST ((int64_t)(sizeof ((machine *)0)->chosen / sizeof *((machine *)0)->chosen))
/* whether a position that was made by Python is one the code could have made: everything is where it must be */
EXPORT int64_t native_admits(const int64_t *w, int64_t count, const limits *all) {
    if (count < P_HEAD || w[P_WORDS] != count) return 0;
    int64_t deep = w[P_DEEP], pile = w[P_PILE], words = w[P_OFFER_WORDS], past = w[P_REMEMBERED], seed = w[P_SEED];
    if (deep < 0 || deep > DEEPEST_FRAME || pile < 0 || pile > PILE || words < 0 || words > 1 << 24) return 0;
    if (past < 0 || past > 1 << 20 || seed < 1 || seed > LONGEST - 64) return 0;
    if (count != P_HEAD + 3 * PLAYERS + deep + WORDS + pile + words + past + (seed + 7) / 8) return 0;
    if (w[P_END] != NOT_OVER || w[P_PAID] != 0 || w[P_WHO] < -1 || w[P_WHO] >= PLAYERS) return 0;
    const int64_t *heights = w + P_HEAD + 3 * PLAYERS, *state_ = heights + deep, *piled = state_ + WORDS, *offer = piled + pile;
    if (!within(state_, all->state, WORDS)) return 0;
    int64_t at = 0;
    for (int64_t k = 0; k < deep; k++) {
        if (heights[k] != at || at + 2 > pile) return 0;
        int64_t next = piled[at];
        if (next < 0 || next >= BLOCKS_ || FRAME_OF[next] < 0) return 0;
        int64_t frame = FRAME_OF[next];
        if (at + FRAME_WORDS[frame] > pile || !within(piled + at, all->frames[frame], FRAME_WORDS[frame])) return 0;
        at += FRAME_WORDS[frame];
    }
    if (at != pile) return 0;
    int64_t site = w[P_SITE], width = w[P_WIDTH];
    if (site < 0) return words == 0;
    if (site >= all->sites || width < 1 || width > WIDEST || width != all->widths[site] || !deep) return 0;
    if (w[P_OFFERED] < 1 || words != width * w[P_OFFERED]) return 0;
    for (int64_t k = 0; k < w[P_OFFERED]; k++)
        if (!within(offer + k * width, all->options + site * WIDEST, width)) return 0;
    return 1;
}

static void made(machine *m) { m->site = -1; m->end = NOT_OVER; }
static void parted(machine *m) {
    for (int k = 0; k < 8; k++) free(m->kept[k]);
    free(m->offer);
}

/* ---- what Python calls ---------------------------------------------------------------------------------- */
static void grant(machine *m, const granted_ *g) {
    m->turns_given = g->work;
    m->left = g->left;
    m->steps_given = g->steps;
    m->firings_given = g->firings;
    m->deepest = g->deepest;
    m->most_options = g->most_options;
}
EXPORT int64_t native_sizes(int64_t which) {
    switch (which) {
    case 0: return WIDEST;
    case 1: return WORDS;
    case 2: return PLAYERS;
    case 3: return FRAMES;
    default: return 0;
    }
}
/* a position is put into the machine; one that Python made must have been admitted */
EXPORT int64_t native_put(machine *m, const int64_t *words) {
    int why = setjmp(m->out);
    if (why) return why;
    restore(m, words);
    return 0;
}
EXPORT int64_t native_words(const machine *m) { return words_needed(m); }
EXPORT void native_get(const machine *m, int64_t *words) { keep(m, words); }
EXPORT int64_t native_run(machine *m, granted_ *g) { /* from a position that waits for nobody */
    int why = setjmp(m->out);
    if (why) return given_up(m, why, g);
    grant(m, g);
    m->chanced = 0;
    advance(m);
    g->left = m->left;
    return 0;
}
EXPORT int64_t native_choose(machine *m, int64_t index, granted_ *g) {
    int why = setjmp(m->out);
    if (why) return given_up(m, why, g);
    grant(m, g);
    m->chanced = 0;
    choose(m, index);
    g->left = m->left;
    return 0;
}
/* the decision that waits: site (-1: none), who, out, how many, words of each; and the options themselves */
EXPORT void native_asked(const machine *m, int64_t *head) {
    head[0] = m->site;
    head[1] = m->who;
    head[2] = m->out_;
    head[3] = m->offered;
    head[4] = m->width ? m->width : 1;
    head[5] = m->end;
}
EXPORT void native_options(const machine *m, int64_t *out) {
    if (m->width) { memcpy(out, m->offer, (size_t)m->offer_words * sizeof *out); return; }
    for (int64_t k = 0; k < m->offer_words; k++)
        for (uint64_t w = (uint64_t)m->offer[k]; w; w &= w - 1) *out++ = 64 * k + __builtin_ctzll(w);
}
