/* What needs the machine: stops, memory of a game, decisions, dice, and the entry points. Included after
   `machine` is declared. */
_Noreturn static void stop(machine *m, int why) {
    longjmp(m->out, why);
}

/* ---- memory of a game: taken in order, given back when a function returns -------------------------------- */
#define BLOCK ((size_t)1 << 22)
static void *taken(machine *m, size_t bytes) {
    bytes = (bytes + 31) & ~(size_t)31;
    if (UNLIKELY(bytes > (size_t)(m->arena_end - m->top))) stop(m, MEMORY);
    void *p = m->top;
    m->top += bytes;
    return p;
}
#define LIST(NAME, T) \
typedef struct { T *p; int64_t n, room; } NAME; \
UNUSED static void NAME##_push(machine *m, NAME *l, T x) { \
    if (l->n == l->room) { \
        int64_t room = l->room ? 2 * l->room : 32; \
        T *p = taken(m, (size_t)room * sizeof(T)); \
        if (l->n) memcpy(p, l->p, (size_t)l->n * sizeof(T)); \
        l->p = p; l->room = room; \
    } \
    l->p[l->n++] = x; \
}
#define STEPS(NAME, T) \
typedef struct { int64_t n; int32_t key[DEGREE]; T value[DEGREE]; } NAME; \
UNUSED static void NAME##_put(machine *m, NAME *d, int64_t key, T x) { \
    for (int64_t k = 0; k < d->n; k++) if (d->key[k] == key) { d->value[k] = x; return; } \
    if (UNLIKELY(d->n == DEGREE)) stop(m, BOUNDS); \
    d->key[d->n] = (int32_t)key; d->value[d->n++] = x; \
} \
UNUSED static inline T NAME##_get(machine *m, NAME d, int64_t key) { \
    for (int64_t k = 0; k < d.n; k++) if (d.key[k] == key) return d.value[k]; \
    stop(m, BOUNDS); \
}

/* ---- decisions ------------------------------------------------------------------------------------------ */
static inline void charge(machine *m, int64_t work) {
    m->meter -= work;
    if (UNLIKELY(m->meter < 0)) stop(m, FUEL);
}
static inline void refuel(machine *m) {
    m->left -= m->granted - m->meter + 2000;
    if (UNLIKELY(m->left < 0)) stop(m, FUEL);
    m->meter = m->granted;
}
static inline uint64_t quick(uint64_t *x) { /* splitmix64 */
    uint64_t z = (*x += 0x9e3779b97f4a7c15ULL);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
    return z ^ z >> 31;
}
static int64_t decide(machine *m, int64_t who, int64_t count) {
    if (WATCHED) {
        m->left -= (m->turns_given - m->turns) * 100;
        m->turns = m->turns_given;
        m->firings = m->firings_given;
    }
    if (UNLIKELY(++m->decisions > m->most_decisions)) stop(m, DECISIONS);
    if (UNLIKELY(count <= 0)) stop(m, BOUNDS);
    if (UNLIKELY(m->trace_room != 0)) {
        if (m->traced < m->trace_room) { m->trace[2 * m->traced] = who; m->trace[2 * m->traced + 1] = count; }
        m->traced++;
    }
    if (m->by == 1) return (int64_t)((wide)(quick(&m->quick) >> 1) * count >> 63);
    if (m->by == 2) {
        if (UNLIKELY(m->decisions > m->script_length)) stop(m, DECISIONS);
        int64_t chosen = m->script[m->decisions - 1];
        if (UNLIKELY(chosen < 0 || chosen >= count)) stop(m, BOUNDS);
        return chosen;
    }
    if (UNLIKELY(who < 0 || who >= PLAYERS || !m->seat_length[who])) stop(m, NOBODY);
    return (int64_t)fair_number(m->seat_text[who], m->seat_length[who], (uint64_t)m->decisions - 1, 0, (uint64_t)count);
}

/* ---- dice ----------------------------------------------------------------------------------------------- */
static uint64_t chance(machine *m, int purpose, uint64_t count, uint64_t die, uint64_t faces) {
    size_t length = m->seed_length;
    if (UNLIKELY(length + PURPOSE_LENGTH[purpose] > LONGEST)) stop(m, BOUNDS);
    memcpy(m->seed_text + length, PURPOSE[purpose], PURPOSE_LENGTH[purpose]);
    length += PURPOSE_LENGTH[purpose];
    m->seed_text[length++] = '/';
    return fair_number(m->seed_text, length, count, die, faces);
}
UNUSED static int64_t roll(machine *m, int purpose, int64_t *cell, int64_t dice, int64_t faces) {
    int64_t count = *cell, sum = 0;
    *cell = count + 1;
    m->chanced = 1;
    if (UNLIKELY(faces <= 0 || dice > 1000)) stop(m, BOUNDS);
    for (int64_t die = 0; die < dice; die++)
        sum += (int64_t)chance(m, purpose, (uint64_t)count, (uint64_t)die, (uint64_t)faces) + 1;
    return sum;
}
/* the number of the member that is picked among `count` */
UNUSED static int64_t picked(machine *m, int purpose, int64_t *cell, int64_t count) {
    int64_t times = *cell;
    *cell = times + 1;
    m->chanced = 1;
    return (int64_t)chance(m, purpose, (uint64_t)times, 0, (uint64_t)count);
}
UNUSED static void shuffle(machine *m, int purpose, int64_t *cell, int64_t *members, int64_t count) {
    int64_t times = *cell;
    *cell = times + 1;
    if (count > 1) m->chanced = 1;
    for (int64_t last = count - 1; last > 0; last--) {
        int64_t other = (int64_t)chance(m, purpose, (uint64_t)times, (uint64_t)last, (uint64_t)last + 1);
        int64_t kept = members[last];
        members[last] = members[other];
        members[other] = kept;
    }
}

/* ---- answers of Python, asked once for each question ----------------------------------------------------- */

#define MEMOS 65536
#define TRIES 4 /* places in which an answer may stand */
UNUSED static const int64_t *asked(machine *m, int64_t which, const int64_t *keys, int count) {
    uint64_t h = (uint64_t)which * 0x9e3779b97f4a7c15ULL;
    for (int k = 0; k < count; k++) h = (h ^ (uint64_t)keys[k]) * 0xff51afd7ed558ccdULL, h ^= h >> 29;
    __typeof__(m->memos) found = NULL;
    for (uint64_t try = 0; try < TRIES; try++) {
        __typeof__(m->memos) place = &m->memos[(h + try) % MEMOS];
        if (!place->which) { found = place; break; }
        if (place->which != which + 1) continue;
        int k = 0;
        while (k < count && place->keys[k] == keys[k]) k++;
        if (k == count) return place->answer;
    }
    if (!found) found = &m->memos[h % MEMOS];
    found->which = 0;
    if (!m->ask || !m->ask(which, keys, found->answer)) stop(m, NO_RESULT);
    found->which = which + 1;
    memcpy(found->keys, keys, (size_t)count * sizeof *keys);
    return found->answer;
}

/* ---- answers that are remembered by everything they depend on --------------------------------------------- */
#define PLACES 512 /* of each memory; a new answer takes the place of an old one */
/* where the answer to a question stands: its first word tells whether it is there */
UNUSED static uint64_t *place_of(machine *m, int which, const uint64_t *key, int words, int answer, int *known) {
    size_t size = (size_t)(1 + words + answer);
    if (!m->memory[which]) {
        m->memory[which] = calloc(PLACES * size, sizeof(uint64_t));
        if (!m->memory[which]) stop(m, MEMORY);
    }
    uint64_t h = 0x9e3779b97f4a7c15ULL;
    for (int k = 0; k < words; k++) h = (h ^ key[k]) * 0xff51afd7ed558ccdULL, h ^= h >> 32;
    uint64_t *place = m->memory[which] + size * (h % PLACES);
    *known = place[0] && !memcmp(place + 1, key, (size_t)words * sizeof *key);
    return place;
}
