/* What searches do with positions, all of it here so that nothing is asked of Python on the way: looks a step ahead,
   lines through the reply, games at random. interpreter/agents (reflex, simple, planning, turns, search) is the
   reference: with the same generator the same options are taken. One file: it is read into every game that
   is searched, in this order. */
#include <time.h>

/* ---- the generator of Python's `random` (Mersenne twister 19937, as published) ---------------------------- */
typedef struct { uint32_t word[624]; uint32_t at; } twister;
static uint32_t twisted(twister *r) {
    if (r->at >= 624) {
        for (int k = 0; k < 624; k++) {
            uint32_t y = (r->word[k] & 0x80000000u) | (r->word[(k + 1) % 624] & 0x7fffffffu);
            r->word[k] = r->word[(k + 397) % 624] ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0);
        }
        r->at = 0;
    }
    uint32_t y = r->word[r->at++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}
static double random_(twister *r) {
    uint32_t a = twisted(r) >> 5, b = twisted(r) >> 6;
    return (a * 67108864.0 + b) * (1.0 / 9007199254740992.0);
}
static int64_t below(twister *r, int64_t n) { /* n below 2^31 */
    int bits = 64 - __builtin_clzll((uint64_t)n);
    for (;;) {
        int64_t x = (int64_t)(twisted(r) >> (32 - bits));
        if (x < n) return x;
    }
}
#define MOST_BREADTH 64
/* `sorted(rng.sample(range(n), k))`; up to `pooled` things a pool is shuffled, beyond that numbers are drawn */
static void sample(machine *m, twister *r, int64_t n, int64_t k, int64_t pooled, int64_t *out) {
    if (n <= pooled) {
        int64_t *pool = taken(m, (size_t)n * sizeof *pool);
        for (int64_t i = 0; i < n; i++) pool[i] = i;
        for (int64_t i = 0; i < k; i++) {
            int64_t j = below(r, n - i);
            out[i] = pool[j];
            pool[j] = pool[n - i - 1];
        }
    } else
        for (int64_t i = 0; i < k; i++) {
            int64_t j, met;
            do {
                j = below(r, n);
                met = 0;
                for (int64_t h = 0; h < i; h++) met |= out[h] == j;
            } while (met);
            out[i] = j;
        }
    for (int64_t i = 1; i < k; i++)
        for (int64_t j = i; j > 0 && out[j] < out[j - 1]; j--) { int64_t t = out[j]; out[j] = out[j - 1]; out[j - 1] = t; }
}
EXPORT void native_sample(machine *m, twister *r, int64_t n, int64_t k, int64_t pooled, int64_t *out) {
    m->top = (char *)(((uintptr_t)m->arena + 63) & ~(uintptr_t)63);
    if (setjmp(m->out)) return;
    sample(m, r, n, k, pooled, out);
}

/* ---- what a search is told ------------------------------------------------------------------------------ */
typedef struct {
    int64_t judges; /* whether the rulebook says what a position is worth */
    int64_t printed, weighted; /* which value: as printed, and that of the levels */
    int64_t breadth, patience, looks, pooled, farthest, win, answers;
    int64_t seats, seat[PLAYERS]; /* who takes part */
    const int8_t *goes_on; /* decision points at which one goes on with the same: journeys, sets gathered one by one */
    const int8_t *gathers, *travels;
    const int8_t *drawn; /* ends */
    const int32_t *owner_first, *owner_word; /* of every frame: where in it the players stand for whom it was begun */
    const int8_t *of_something; /* frames of phases that were begun for something else */
} searching;

static void kept_position(machine *m, int slot) {
    int64_t words = words_needed(m);
    if (UNLIKELY(words > m->kept_room[slot])) {
        void *more = realloc(m->kept[slot], (size_t)(2 * words) * sizeof(int64_t));
        if (!more) stop(m, MEMORY);
        m->kept[slot] = more;
        m->kept_room[slot] = 2 * words;
    }
    keep(m, m->kept[slot]);
}
static frac value_of(machine *m, int64_t which, int64_t who) {
    begin_work(m, m->turns_given);
    m->left -= STEP_WORK;
    if (UNLIKELY(m->left <= 0)) stop(m, FUEL);
    frac value = worth_of(m, which, who);
    m->left -= m->granted - m->meter;
    return value;
}
/* what a position is worth to a player: how the game ended, or his value beside that of his best rival */
static frac judged(machine *m, const searching *o, int64_t which, int64_t player) {
    if (m->site < 0 && m->end != NOT_OVER) {
        if (m->paid) {
            frac gain = {0, 1};
            for (int64_t k = 0; k < m->paid; k++) if (m->payee[k] == player) gain = m->gain[k];
            return f_mul(m, f_of(o->win), gain);
        }
        int64_t mine = 0, others = 0;
        int drawn = m->end < 0 || o->drawn[m->end];
        for (int64_t k = 0; k < o->seats; k++) {
            int won = drawn || m1_has(m->winners, o->seat[k]);
            if (o->seat[k] == player) mine = won; else others |= won;
        }
        return f_of(mine > others ? o->win : mine < others || !mine ? -o->win : 0);
    }
    frac mine = {0, 1}, most = {0, 0};
    for (int64_t k = 0; k < o->seats; k++) {
        frac value = value_of(m, which, o->seat[k]);
        if (o->seat[k] == player) mine = value;
        else if (!most.d || f_cmp(value, most) > 0) most = value;
    }
    return most.d ? f_sub(m, mine, most) : mine;
}
/* "seed?number/look/": dice of its own for a look */
static void seed_of_look(machine *m, size_t length, uint64_t number, int64_t look) {
    if (UNLIKELY(length > LONGEST - 64)) stop(m, BOUNDS);
    m->seed_text[length++] = '?';
    length += put_number(m->seed_text + length, number);
    m->seed_text[length++] = '/';
    length += put_number(m->seed_text + length, (uint64_t)look);
    m->seed_text[length++] = '/';
    m->seed_length = length;
}
/* an option, and what it began brought to its end: whoever may stop does, but who is pressing gathers members first;
   whether there were any to gather, and how many answers to the next question, of which `answer` is given */
static int through(machine *m, const searching *o, int64_t index, int pressing, int64_t answer, int64_t *answers) {
    int64_t place = m->deep - 1, asking_ = frame_at(m, place)[1], site = m->site, who = m->who;
    int more = o->goes_on[site], gathers = 0;
    choose(m, index);
    for (int64_t k = 0; k < (pressing ? 2 * o->patience : o->patience); k++) {
        if (m->site < 0 || place >= m->deep || frame_at(m, place)[1] != asking_) break;
        if (m->site == site && !more) break;
        if (!k && m->who == who && !m->out_ && m->site != site && m->offered <= o->answers) {
            if (m->offered > *answers) *answers = m->offered;
            choose(m, answer < m->offered ? answer : m->offered - 1);
            continue;
        }
        int member = m->who == who && o->gathers[m->site] && m->offered > 0;
        gathers |= member && m->out_;
        choose(m, m->out_ && !(pressing && member && k < o->patience) ? -1 : 0);
    }
    return gathers;
}
/* what an option of the position that is kept is worth a step ahead */
static frac look_at(machine *m, const searching *o, int64_t index, int64_t who, size_t length, uint64_t number,
                    int pressing, int *gathers, int64_t answer, int64_t *answers) {
    frac total = {0, 1};
    for (int64_t look = 0; look < o->looks; look++) {
        restore(m, m->kept[0]);
        seed_of_look(m, length, number, look);
        m->chanced = 0;
        *gathers |= through(m, o, index, pressing, answer, answers);
        total = f_add(m, total, judged(m, o, o->weighted, who));
        if (!m->chanced) return f_mul(m, total, f_of(o->looks));
    }
    return total;
}
static int64_t at_random(machine *m, twister *r) {
    int64_t number = (int64_t)(random_(r) * (double)(m->offered + (m->out_ != 0)));
    return number < m->offered ? number : -1;
}
/* agents/reflex.py: what looks best a step ahead */
static int64_t reflex(machine *m, const searching *o, twister *r) {
    int64_t count = m->offered, out = m->out_ != 0, who = m->who, tried[MOST_BREADTH + 1], n = 0;
    if (count + out == 1) return count ? 0 : -1;
    if (!o->judges) return at_random(m, r);
    if (out) tried[n++] = -1;
    if (count <= o->breadth) for (int64_t k = 0; k < count; k++) tried[n++] = k;
    else {
        m->top = (char *)(((uintptr_t)m->arena + 63) & ~(uintptr_t)63);
        sample(m, r, count, o->breadth, o->pooled, tried + n);
        n += o->breadth;
    }
    uint64_t number = twisted(r);
    size_t length = m->seed_length - 1;
    kept_position(m, 0);
    frac best = {0, 0};
    int64_t chosen = tried[0];
    for (int64_t k = 0; k < n; k++) {
        int gathers = 0;
        int64_t answers = 0, ignored = 0;
        frac total = look_at(m, o, tried[k], who, length, number, 0, &gathers, 0, &answers);
        for (int64_t a = 1; a < answers; a++) {
            int met = 0;
            frac other = look_at(m, o, tried[k], who, length, number, 0, &met, a, &ignored);
            if (f_cmp(other, total) > 0) total = other;
        }
        if (gathers) {
            frac pressed = look_at(m, o, tried[k], who, length, number, 1, &gathers, 0, &ignored);
            if (f_cmp(pressed, total) > 0) total = pressed;
        }
        if (!best.d || f_cmp(total, best) > 0) { best = total; chosen = tried[k]; }
    }
    restore(m, m->kept[0]);
    return chosen;
}

/* ---- how far a line goes (agents/turns.py) ---------------------------------------------------------------- */
typedef struct { int64_t seat, left, enough, later, height, serial, runner, mine; } horizon;
static void part(machine *m, const searching *o, int64_t *height, int64_t *owner) {
    int64_t another = -1, of_another = -1, something = -1;
    for (int64_t k = 0; k < m->deep; k++) {
        const int64_t *frame = frame_at(m, k);
        int64_t kind = FRAME_OF[frame[0]], first = o->owner_first[kind], end = o->owner_first[kind + 1];
        if (first < end) {
            for (int64_t i = first; i < end; i++)
                if (frame[o->owner_word[i]] == m->who) { *height = k; *owner = m->who; return; }
            if (another < 0) { another = k; of_another = frame[o->owner_word[first]]; }
        } else if (something < 0 && o->of_something[kind]) something = k;
    }
    *height = another >= 0 ? another : something;
    *owner = another >= 0 ? of_another : -1;
}
static void begin_part(machine *m, const searching *o, horizon *h) {
    int64_t owner;
    part(m, o, &h->height, &owner);
    h->serial = h->height >= 0 ? frame_at(m, h->height)[1] : 0;
    h->runner = m->who;
    h->mine = (owner == -1 ? m->who : owner) == h->seat;
}
static int reached(machine *m, const searching *o, horizon *h, int64_t made) {
    if (m->site < 0) return 1;
    if (h->height >= 0 ? h->height < m->deep && frame_at(m, h->height)[1] == h->serial : m->who == h->runner) return 0;
    if (!h->mine && --h->left <= 0 && made >= h->enough) return 1;
    h->later = 1;
    begin_part(m, o, h);
    return 0;
}
static double seconds(void) {
#if defined(CLOCK_MONOTONIC)
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
#else
    return (double)clock() / CLOCKS_PER_SEC;
#endif
}
/* ---- plans (agents/plans.py): the decisions of one player in one part, as they were made ---------------------- */
#define MOST_PLANNED 160
typedef struct { int64_t site, out, key[16]; } planned;
static void noted(machine *m, int64_t index, planned *to) {
    memset(to, 0, sizeof *to);
    to->site = m->site;
    to->out = index < 0;
    if (index < 0) return;
    if (m->width) memcpy(to->key, m->offer + index * m->width, (size_t)m->width * sizeof *to->key);
    else to->key[0] = nth_of_words(m, m->offer, m->offer_words, index);
}
/* which option that is now: -1 the way out, -2 none */
static int64_t offered_now(machine *m, const planned *p) {
    if (p->site != m->site) return -2;
    if (p->out) return m->out_ ? -1 : -2;
    if (m->width) {
        for (int64_t k = 0; k < m->offered; k++)
            if (!memcmp(p->key, m->offer + k * m->width, (size_t)m->width * sizeof *p->key)) return k;
        return -2;
    }
    int64_t word = p->key[0] / 64, rank = 0;
    if (p->key[0] < 0 || word >= m->offer_words || !((uint64_t)m->offer[word] >> p->key[0] % 64 & 1)) return -2;
    for (int64_t k = 0; k < word; k++) rank += __builtin_popcountll((uint64_t)m->offer[k]);
    return rank + __builtin_popcountll((uint64_t)m->offer[word] & (((uint64_t)1 << p->key[0] % 64) - 1));
}
typedef struct { const planned *plan; int64_t count, last; int8_t used[MOST_PLANNED]; } follower;
static int64_t followed(machine *m, const searching *o, follower *f) {
    int64_t next = f->last + 1;
    if (next < f->count && !f->used[next]) {
        int64_t index = offered_now(m, f->plan + next);
        if (index > -2) { f->used[next] = 1; f->last = next; return index; }
    }
    if (o->goes_on[m->site]) return -2; /* a step of some journey is no step of another */
    for (int64_t k = 0; k < f->count; k++)
        if (!f->used[k]) {
            int64_t index = offered_now(m, f->plan + k);
            if (index > -2) { f->used[k] = 1; f->last = k; return index; }
        }
    return -2;
}
typedef struct { int64_t late, decisions; frac worth; int64_t planned_; planned made[MOST_PLANNED]; } lined;
typedef struct { int64_t index, seat, replies, enough, turn; double pick, patience; int64_t count; const planned *plan; } line_;
/* agents/planning.py: an option of the position in the machine played on through the reply, and judged. In the part
   that is being played the seat follows its plan, but at its decision number `turn` it does something else.
   `patience`: seconds until it is too late, or below 0 */
EXPORT int64_t native_line(machine *m, const int64_t *world, const searching *o, granted_ *g, const line_ *a, twister *r,
                           lined *out) {
    int why = setjmp(m->out);
    if (why) return given_up(m, why, g);
    grant(m, g);
    restore(m, world);
    m->decisions = 0;
    double until = a->patience < 0 ? 0 : seconds() + a->patience;
    if (UNLIKELY(a->count > MOST_PLANNED)) stop(m, BOUNDS);
    horizon h = {.seat = a->seat, .left = a->replies, .enough = a->enough};
    follower f = {.plan = a->plan, .count = a->count, .last = -1};
    begin_part(m, o, &h);
    noted(m, a->index, out->made);
    out->planned_ = 1;
    if (f.count && offered_now(m, f.plan) == a->index) { f.used[0] = 1; f.last = 0; }
    choose(m, a->index);
    out->late = 0;
    for (int64_t k = 0; k < o->farthest; k++) {
        if (reached(m, o, &h, k)) break;
        if (a->patience >= 0 && seconds() > until) { out->late = 1; break; }
        int64_t index = -2, options = m->offered + (m->out_ != 0);
        int own = !h.later && m->who == a->seat && options > 1;
        if (own) {
            index = followed(m, o, &f);
            if (out->planned_ == a->turn) {
                int64_t number = (int64_t)(a->pick * (double)(options - (index > -2)));
                int64_t taken_ = index < 0 ? m->offered : index;
                if (index > -2 && number >= taken_) number++;
                index = number < m->offered ? number : -1;
            }
        }
        if (index == -2) index = reflex(m, o, r);
        if (own && out->planned_ < MOST_PLANNED) noted(m, index, out->made + out->planned_++);
        choose(m, index);
    }
    double patience = a->patience;
    int64_t seat = a->seat;
    if (patience >= 0 && seconds() > until) out->late = 1;
    if (!out->late) out->worth = judged(m, o, o->weighted, seat);
    out->decisions = m->decisions;
    g->left = m->left;
    return 0;
}

/* ---- a step ahead, each answer to the next question (agents/simple.py) ------------------------------------ */
enum { STOPPING = -1, PRESSING = -2 };
typedef struct { int64_t place, serial, site, gathers, travels; } begun;
static int goes_on(machine *m, const begun *b) {
    if (m->site < 0 || b->place >= m->deep || frame_at(m, b->place)[1] != b->serial) return 0;
    return b->gathers || b->travels || m->site != b->site;
}
static void finish(machine *m, const begun *b, int64_t patience, int64_t pressing) {
    for (int64_t step = 0; step < 2 * patience; step++) {
        if (m->site < 0 || !goes_on(m, b)) return;
        if (m->out_ && (m->who != pressing || step >= patience)) choose(m, -1);
        else {
            if (UNLIKELY(m->seed_length > LONGEST - 8)) stop(m, BOUNDS);
            memcpy(m->seed_text + m->seed_length, "way/", 4);
            choose(m, (int64_t)fair_number(m->seed_text, m->seed_length + 4, (uint64_t)step, 0, (uint64_t)m->offered));
        }
    }
}
typedef struct { int64_t name, key[16]; frac worth; } answered; /* an answer: STOPPING, PRESSING, or its number */
typedef struct { int64_t count, chanced, site, width, decisions; answered answers[MOST_BREADTH + 1]; } looked;
EXPORT int64_t native_looks(machine *m, const int64_t *world, const searching *o, granted_ *g, int64_t index, int64_t seat,
                            int64_t breadth, int64_t patience, looked *out) {
    int why = setjmp(m->out);
    if (why) return given_up(m, why, g);
    grant(m, g);
    restore(m, world);
    m->decisions = m->chanced = 0;
    if (UNLIKELY(breadth > MOST_BREADTH || m->site < 0)) stop(m, BOUNDS);
    begun b = {m->deep - 1, frame_at(m, m->deep - 1)[1], m->site, o->gathers[m->site], o->travels[m->site]};
    choose(m, index);
    out->count = 0;
    out->site = m->site;
    out->width = 0;
    if (m->site < 0 || !goes_on(m, &b)) {
        out->answers[out->count].name = STOPPING;
        out->answers[out->count++].worth = judged(m, o, o->printed, seat);
    } else {
        if (m->who == seat && b.gathers && m->site == b.site) {
            out->answers[out->count++].name = STOPPING;
            out->answers[out->count++].name = PRESSING;
        } else if (m->who == seat && m->offered <= breadth) {
            out->width = m->width ? m->width : 1;
            for (int64_t k = 0; k < m->offered; k++) {
                answered *a = &out->answers[out->count++];
                a->name = k;
                if (m->width) memcpy(a->key, m->offer + k * m->width, (size_t)m->width * sizeof *a->key);
                else a->key[0] = nth_of_words(m, m->offer, m->offer_words, k);
            }
            if (m->out_) out->answers[out->count++].name = STOPPING;
        } else out->answers[out->count++].name = STOPPING;
        kept_position(m, 1);
        for (int64_t k = 0; k < out->count; k++) {
            if (k) restore(m, m->kept[1]);
            answered *a = &out->answers[k];
            if (a->name >= 0) choose(m, a->name);
            finish(m, &b, patience, a->name == PRESSING ? seat : -1);
            a->worth = judged(m, o, o->printed, seat);
        }
    }
    out->chanced = m->chanced;
    out->decisions = m->decisions;
    g->left = m->left;
    return 0;
}

/* ---- games at random (agents/search.py) ------------------------------------------------------------------- */
typedef struct { int64_t decisions, end, winners, paid, payee[PLAYERS]; frac gain[PLAYERS], value[PLAYERS]; } ran;
/* from the position in the machine, until the game is over or the horizon is reached; then its values */
EXPORT int64_t native_playout(machine *m, const searching *o, granted_ *g, int64_t farthest, twister *r, ran *out) {
    int why = setjmp(m->out);
    if (why) return given_up(m, why, g);
    grant(m, g);
    m->decisions = 0;
    for (int64_t k = 0; k < farthest && m->site >= 0; k++) choose(m, at_random(m, r));
    out->decisions = m->decisions;
    out->end = m->site < 0 ? m->end : NOT_OVER;
    out->winners = (int64_t)m->winners;
    out->paid = m->paid;
    for (int64_t k = 0; k < m->paid; k++) { out->payee[k] = m->payee[k]; out->gain[k] = m->gain[k]; }
    if (m->site >= 0 && o->judges)
        for (int64_t k = 0; k < o->seats; k++) out->value[k] = value_of(m, o->printed, o->seat[k]);
    g->left = m->left;
    return 0;
}
/* whole games by a quick generator, decision after decision: how many were made (for measuring) */
EXPORT int64_t native_walk(machine *m, const int64_t *start, granted_ *g, uint64_t seed, int64_t decisions) {
    volatile int64_t stopped = 0;
    const int64_t left = g->left;
    m->decisions = 0;
    m->quick = seed;
    if (setjmp(m->out) && ++stopped > decisions) return -1;
    while (m->decisions < decisions) {
        grant(m, g);
        m->left = left;
        restore(m, start);
        while (m->site >= 0 && m->decisions < decisions) {
            m->left = left;
            int64_t count = m->offered + (m->out_ != 0);
            int64_t number = (int64_t)((wide)(quick(&m->quick) >> 1) * count >> 63);
            choose(m, number < m->offered ? number : -1);
        }
    }
    return m->decisions;
}
