/* Many positions side by side, decided in one call: actions in, who is asked and what is offered out, into rows of
   NumPy's (interpreter/native/batches.py). A position that cannot be gone on with here is left as it was. */
typedef struct { int64_t room, *words; } shelf;
typedef struct { int64_t count; shelf at[]; } shelves;
/* the actions of a decision point: from `first` on, `span` of them, by their place in the list of options (no parts), or
   by what they are, the last part running fastest */
typedef struct { int64_t first, span, parts, size[WIDEST]; } numbering;
enum { NUMBERS = 101, NOT_OFFERED };

EXPORT shelves *native_shelves(int64_t count) {
    shelves *all = calloc(1, sizeof *all + (size_t)count * sizeof *all->at);
    if (all) all->count = count;
    return all;
}
EXPORT void native_clear(shelves *all) {
    for (int64_t k = 0; k < all->count; k++) free(all->at[k].words);
    free(all);
}
static void shelve(machine *m, shelf *at) {
    int64_t needed = words_needed(m);
    if (UNLIKELY(needed > at->room)) {
        int64_t *more = realloc(at->words, (size_t)(2 * needed) * sizeof *more);
        if (!more) stop(m, MEMORY);
        at->words = more;
        at->room = 2 * needed;
    }
    keep(m, at->words);
}
static int64_t numbered(machine *m, const numbering *n, int64_t index, const int64_t *option) {
    int64_t number = index;
    if (n->parts) {
        number = option[0];
        for (int64_t k = 1; k < n->parts; k++) number = number * n->size[k] + option[k];
    }
    if (UNLIKELY(number < 0 || number >= n->span)) stop(m, NUMBERS);
    return n->first + number;
}
static void offer_row(machine *m, const numbering *sites, uint8_t *row, int64_t wide) {
    memset(row, 0, (size_t)wide);
    if (m->site < 0) return;
    row[0] = m->out_ != 0;
    const numbering *n = sites + m->site;
    if (m->width) {
        for (int64_t k = 0; k < m->offered; k++) row[numbered(m, n, k, m->offer + k * m->width)] = 1;
        return;
    }
    int64_t index = 0;
    for (int64_t k = 0; k < m->offer_words; k++)
        for (uint64_t w = (uint64_t)m->offer[k]; w; w &= w - 1, index++) {
            int64_t value = 64 * k + __builtin_ctzll(w);
            row[numbered(m, n, index, &value)] = 1;
        }
}
static int64_t index_of(machine *m, const numbering *n, int64_t action) {
    if (action == 0) return -1;
    if (!m->width && n->parts) {
        int64_t value = action - n->first, index = 0;
        if (value < 0 || value / 64 >= m->offer_words || !((uint64_t)m->offer[value / 64] >> value % 64 & 1)) stop(m, NOT_OFFERED);
        for (int64_t k = 0; k < value / 64; k++) index += __builtin_popcountll((uint64_t)m->offer[k]);
        return index + __builtin_popcountll((uint64_t)m->offer[value / 64] & (((uint64_t)1 << value % 64) - 1));
    }
    if (!n->parts) {
        if (action < n->first || action - n->first >= m->offered) stop(m, NOT_OFFERED);
        return action - n->first;
    }
    for (int64_t k = 0; k < m->offered; k++)
        if (numbered(m, n, k, m->offer + k * m->width) == action) return k;
    stop(m, NOT_OFFERED);
}
static void told(machine *m, const numbering *sites, int64_t place, int64_t wide, uint8_t *masks, int16_t *who, uint8_t *over) {
    offer_row(m, sites, masks + place * wide, wide);
    who[place] = m->site < 0 ? -1 : (int16_t)m->who;
    over[place] = m->site < 0;
}
/* decide in these places; how many were done: the one after them is for Python */
EXPORT int64_t native_decide(machine *m, shelves *all, const numbering *sites, const granted_ *g, const int64_t *at,
                             const int64_t *actions, int64_t count, int64_t wide, uint8_t *masks, int16_t *who, uint8_t *over) {
    volatile int64_t done = 0;
    if (setjmp(m->out)) return done;
    for (; done < count; done++) {
        int64_t place = at[done];
        restore(m, all->at[place].words);
        if (m->site < 0) return done;
        grant(m, g);
        m->chanced = 0;
        choose(m, index_of(m, sites + m->site, actions[done]));
        told(m, sites, place, wide, masks, who, over);
        shelve(m, all->at + place);
    }
    return done;
}
/* a new game in a place, run to its first decision: whether that could be done */
EXPORT int64_t native_begin(machine *m, shelves *all, const int64_t *start, const char *seed, int64_t length, const granted_ *g,
                            int64_t place) {
    if (setjmp(m->out)) return 0;
    restore(m, start);
    memcpy(m->seed_text, seed, (size_t)length);
    m->seed_length = (size_t)length;
    grant(m, g);
    m->chanced = 0;
    advance(m);
    shelve(m, all->at + place);
    return 1;
}
EXPORT int64_t native_look(machine *m, const shelves *all, const numbering *sites, const int64_t *at, int64_t count,
                           int64_t wide, uint8_t *masks, int16_t *who, uint8_t *over) {
    volatile int64_t done = 0;
    if (setjmp(m->out)) return done;
    for (; done < count; done++) {
        restore(m, all->at[at[done]].words);
        told(m, sites, at[done], wide, masks, who, over);
    }
    return done;
}
/* a position that was admitted, into a place; and how many words one has, and they themselves */
EXPORT int64_t native_lay(machine *m, shelves *all, const int64_t *words, int64_t place) {
    if (setjmp(m->out)) return 0;
    restore(m, words);
    shelve(m, all->at + place);
    return 1;
}
EXPORT int64_t native_laid(const shelves *all, int64_t place) { return all->at[place].words[P_WORDS]; }
EXPORT void native_taken(const shelves *all, int64_t place, int64_t *out) {
    memcpy(out, all->at[place].words, (size_t)all->at[place].words[P_WORDS] * sizeof *out);
}
/* of these places how the games stand (head, who is paid what), what is asked, or the states */
EXPORT void native_heads(const shelves *all, const int64_t *at, int64_t count, int64_t *out) {
    for (int64_t k = 0; k < count; k++, out += P_HEAD + 3 * PLAYERS)
        memcpy(out, all->at[at[k]].words, (size_t)(P_HEAD + 3 * PLAYERS) * sizeof *out);
}
EXPORT void native_asks(const shelves *all, const int64_t *at, int64_t count, int64_t *site, int64_t *who) {
    for (int64_t k = 0; k < count; k++) {
        const int64_t *w = all->at[at[k]].words;
        site[k] = w[P_SITE];
        who[k] = w[P_WHO];
    }
}
EXPORT void native_states(const shelves *all, const int64_t *at, int64_t count, int64_t *out) {
    for (int64_t k = 0; k < count; k++, out += WORDS) {
        const int64_t *w = all->at[at[k]].words;
        memcpy(out, w + P_HEAD + 3 * PLAYERS + w[P_DEEP], (size_t)WORDS * sizeof *out);
    }
}
