/* The map and the searches by masks (running/runtime.py, mask_search.py, rays.py, masks.py). `MS` is a mask of
   spaces, `S_and` and the like its operations; `ADJ`, `INC`, `LINKS` and `WAYS` are tables of the game. */
UNUSED static inline int64_t i_remainder(machine *m, int64_t a, int64_t b) { return b ? i_mod(m, a, b) : 0; }
UNUSED static inline frac f_remainder(machine *m, frac a, frac b) { return b.n ? f_mod(m, a, b) : f_of(0); }
/* the place of a key in a table over `count` numbers from `low`; -1 when it has none */
UNUSED static inline int64_t i_key(int64_t key, int64_t low, int64_t count) {
    return key < low || key - low >= count ? -1 : key - low;
}
UNUSED static inline int64_t f_key(frac key, int64_t low, int64_t count) {
    return key.d == 1 ? i_key(key.n, low, count) : -1;
}

/* ---- the graph ------------------------------------------------------------------------------------------- */
typedef struct { int32_t there, border; } link_;
#ifndef SHIFTED /* surroundings.py writes it for a board in rows: then neighbours are so many numbers further */
UNUSED static MS around(machine *m, MS mask) {
    MS out = S_of(0);
    for (int64_t i; (i = S_next(&mask)) >= 0 && i < SPACES; ) out = S_or(out, ADJ[i]);
    return out;
}
#endif
UNUSED static MS nearest(machine *m, MS group, MS start) {
    MS seen = start, edge = start;
    while (S_nz(edge)) {
        MS found = S_and(edge, group);
        if (S_nz(found)) return found;
        edge = S_and(around(m, edge), S_not(seen));
        seen = S_or(seen, edge);
    }
    return S_of(0);
}
UNUSED static int64_t distance(machine *m, int64_t a, int64_t b) {
    if (a < 0 || b < 0) return -1;
    if (a == b) return 0;
    int16_t *row = m->rows[a];
    if (!row) {
        row = malloc(SPACES * sizeof *row);
        if (!row) stop(m, MEMORY);
        for (int64_t i = 0; i < SPACES; i++) row[i] = -1;
        row[a] = 0;
        MS seen = S_bit(a), edge = seen;
        for (int16_t far = 1; S_nz(edge); far++) {
            edge = S_and(around(m, edge), S_not(seen));
            seen = S_or(seen, edge);
            MS rest = edge;
            for (int64_t i; (i = S_next(&rest)) >= 0 && i < SPACES; ) row[i] = far;
        }
        m->rows[a] = row;
    }
    return row[b];
}
UNUSED static int64_t other_end(machine *m, int64_t border, int64_t space) {
    (void)m;
    if (border < 0) return -1;
    return ENDS[2 * border] == space ? ENDS[2 * border + 1] : ENDS[2 * border];
}
UNUSED static MS ends_of(machine *m, int64_t border) {
    (void)m;
    return border < 0 ? S_of(0) : S_or(S_bit(ENDS[2 * border]), S_bit(ENDS[2 * border + 1]));
}
UNUSED static int64_t border_between(machine *m, int64_t a, int64_t b) {
    (void)m;
    if (a < 0 || b < 0) return -1;
    int64_t least = -1; /* the border with the lowest number that both have */
    for (int32_t k = FIRST_LINK[a]; k < FIRST_LINK[a + 1]; k++)
        if ((LINKS[k].there == b || a == b) && (least < 0 || LINKS[k].border < least)) least = LINKS[k].border;
    return least;
}
UNUSED static int64_t direction_from(machine *m, int64_t here, int64_t there) {
    (void)m;
    if (here < 0 || there < 0) return -1;
    for (int64_t d = DIRECTIONS - 1; d >= 0; d--)
        if (NEXT[here * DIRECTIONS + d] == there) return d;
    return -1;
}
UNUSED static int64_t turns(machine *m, int64_t one, int64_t other) {
    (void)m;
    if (one < 0 || other < 0) return DIRECTIONS;
    int64_t far = one > other ? one - other : other - one;
    return far < DIRECTIONS - far ? far : DIRECTIONS - far;
}

/* ---- rays: from each space in each direction, as masks --------------------------------------------------- */
UNUSED static MS ray(machine *m, int64_t start, int64_t direction) {
    (void)m;
    return start >= 0 && direction >= 0 ? RAYS[direction * SPACES + start] : S_of(0);
}
UNUSED static int64_t first_along(machine *m, int64_t start, int64_t direction, MS group) {
    (void)m;
    if (start < 0 || direction < 0) return -1;
    MS met = S_and(RAYS[direction * SPACES + start], group);
    if (!S_nz(met)) return -1;
    if (FALLING[direction]) return S_last(met);
    if (RISING[direction]) return S_first(met);
    int64_t at = start;
    for (int64_t k = 0; k < SPACES; k++) {
        at = NEXT[at * DIRECTIONS + direction];
        if (at < 0 || S_has(met, at)) return at;
    }
    return -1;
}
UNUSED static MS ray_to(machine *m, int64_t start, int64_t direction, MS group) {
    int64_t end = first_along(m, start, direction, group);
    if (end < 0) return ray(m, start, direction);
    return S_and(RAYS[direction * SPACES + start], S_not(RAYS[direction * SPACES + end]));
}
UNUSED static MS rays(machine *m, int64_t start, m1 directions) {
    MS out = S_of(0);
    for (int64_t d; (d = m1_next(&directions)) >= 0 && d < DIRECTIONS; ) out = S_or(out, ray(m, start, d));
    return out;
}
UNUSED static MS rays_to(machine *m, int64_t start, m1 directions, MS group) {
    MS out = S_of(0);
    for (int64_t d; (d = m1_next(&directions)) >= 0 && d < DIRECTIONS; ) out = S_or(out, ray_to(m, start, d, group));
    return out;
}
UNUSED static MS firsts_along(machine *m, int64_t start, m1 directions, MS group) {
    MS out = S_of(0);
    for (int64_t d; (d = m1_next(&directions)) >= 0 && d < DIRECTIONS; )
        out = S_or(out, S_bit(first_along(m, start, d, group)));
    return out;
}

/* ---- the steps of a route, for one kind of traveller ----------------------------------------------------- */
typedef struct { int32_t there; int64_t cost; frac exact; } step;
typedef struct { int64_t cost; MS there; } wave;
struct links {
    struct links *next;
    int64_t facts[8];
    int64_t scale, least;
    int usual, mutual;
    MS *all;
    const step **order;
    int32_t *steps_from;
    const wave **by_cost;
    int32_t *costs_from;
    void *memory[6];
    areas *areas; /* made when somebody floods */
};
typedef frac (*cost_of)(machine *m, const int64_t *facts, int64_t here, int64_t border, int64_t there);
static void free_links(links *t) {
    for (int k = 0; k < 6; k++) free(t->memory[k]);
    free(t->areas);
    free(t);
}
static void *room(machine *m, links *t, int k, size_t bytes) {
    t->memory[k] = calloc(1, bytes ? bytes : 1);
    if (!t->memory[k]) { free_links(t); stop(m, MEMORY); }
    return t->memory[k];
}
UNUSED static links *make_links(machine *m, const link_ *list, const int32_t *first, cost_of cost, const int64_t *facts, int count) {
    links *t = calloc(1, sizeof *t);
    if (!t) stop(m, MEMORY);
    memcpy(t->facts, facts, (size_t)count * sizeof *facts);
    size_t total = (size_t)first[SPACES];
    step *steps = room(m, t, 0, total * sizeof *steps);
    wave *waves = room(m, t, 1, total * sizeof *waves);
    t->order = room(m, t, 2, SPACES * sizeof *t->order);
    t->by_cost = room(m, t, 3, SPACES * sizeof *t->by_cost);
    t->steps_from = room(m, t, 4, 2 * SPACES * sizeof *t->steps_from);
    t->costs_from = t->steps_from + SPACES;
    t->all = room(m, t, 5, SPACES * sizeof *t->all);
    int64_t scale = 1;
    size_t at = 0;
    t->usual = 1;
    for (int64_t here = 0; here < SPACES; here++) {
        t->order[here] = steps + at;
        for (int32_t k = first[here]; k < first[here + 1]; k++) {
            frac c = cost(m, facts, here, list[k].border, list[k].there);
            if (!c.d) continue;
            if (c.n <= 0) t->usual = 0;
            if (scale) {
                wide g = w_gcd(scale, c.d), s = (wide)scale / g * c.d;
                scale = s > 1000000000 ? 0 : (int64_t)s;
            }
            steps[at].there = list[k].there;
            steps[at++].exact = c;
            t->steps_from[here]++;
            S_put(&t->all[here], list[k].there);
        }
    }
    if (!scale) t->usual = 0;
    t->scale = scale ? scale : 1;
    t->least = at ? MOST : 0;
    t->mutual = 1;
    size_t waved = 0;
    for (int64_t here = 0; here < SPACES; here++) {
        wave *own = waves + waved;
        t->by_cost[here] = own;
        int32_t many = 0;
        for (int32_t k = 0; k < t->steps_from[here]; k++) {
            step *one = (step *)&t->order[here][k];
            wide whole = (wide)one->exact.n * t->scale / one->exact.d;
            if (whole > MOST || whole <= NONE) { t->usual = 0; whole = 0; }
            one->cost = (int64_t)whole;
            if (one->cost < t->least) t->least = one->cost;
            if (!S_in(&t->all[one->there], here)) t->mutual = 0;
            int32_t place = 0;
            while (place < many && own[place].cost < one->cost) place++;
            if (place == many || own[place].cost != one->cost) {
                memmove(own + place + 1, own + place, (size_t)(many - place) * sizeof *own);
                own[place] = (wave){one->cost, S_of(0)};
                many++;
            }
            S_put(&own[place].there, one->there);
        }
        t->costs_from[here] = many;
        waved += (size_t)many;
    }
    return t;
}

/* ---- searches by masks ------------------------------------------------------------------------------------ */
typedef struct { MS a0, a1; const MS *a2; } bar;
typedef struct { bar *p; int64_t n, room; } bars;
UNUSED static void bars_push(machine *m, bars *l, bar x) {
    if (l->n == l->room) {
        int64_t room = l->room ? 2 * l->room : 8;
        bar *p = taken(m, (size_t)room * sizeof *p);
        if (l->n) memcpy(p, l->p, (size_t)l->n * sizeof *p);
        l->p = p;
        l->room = room;
    }
    l->p[l->n++] = x;
}
static MS barred_from(int64_t here, const bars *b) {
    MS found = S_of(0);
    for (int64_t k = 0; b && k < b->n; k++)
        if (S_in(&b->p[k].a0, here))
            found = S_or(found, b->p[k].a2 ? S_and(b->p[k].a1, b->p[k].a2[here]) : b->p[k].a1);
    return found;
}
UNUSED static MS spread(machine *m, const links *t, MS start, MS closed, MS stops, int64_t limit, int generous, const bars *b) {
    MS free_ = S_not(S_or(closed, start)), reached = S_of(0), rest = start;
    if (b && !b->n) b = NULL;
    if (limit > 100000) stop(m, BOUNDS);
    int64_t most = limit > 0 ? limit : 0;
    char *mark = m->top;
    MS *waves = taken(m, (size_t)(most + 1) * sizeof *waves);
    memset(waves, 0, (size_t)(most + 1) * sizeof *waves);
    for (int64_t here; (here = S_next(&rest)) >= 0 && here < SPACES; ) {
        for (int32_t k = 0; k < t->costs_from[here]; k++) {
            const wave *w = &t->by_cost[here][k];
            if (w->cost > limit && !generous) break;
            MS there = b ? S_and(w->there, S_not(barred_from(here, b))) : w->there;
            if (w->cost <= limit) {
                if (w->cost < 0) stop(m, BOUNDS);
                waves[w->cost] = S_or(waves[w->cost], there);
            } else reached = S_or(reached, S_and(there, free_));
        }
    }
    for (int64_t spent = 1; spent <= limit; spent++) {
        rest = S_and(waves[spent], free_);
        if (!S_nz(rest)) continue;
        free_ = S_xor(free_, rest);
        reached = S_or(reached, rest);
        int64_t left = limit - spent;
        if (left < t->least) continue;
        rest = S_and(rest, S_not(stops));
        for (int64_t here; (here = S_next(&rest)) >= 0 && here < SPACES; ) {
            MS open = b ? S_not(barred_from(here, b)) : S_of(-1);
            for (int32_t k = 0; k < t->costs_from[here]; k++) {
                const wave *w = &t->by_cost[here][k];
                if (w->cost > left) break;
                if (w->cost < 0) stop(m, BOUNDS);
                waves[spent + w->cost] = S_or(waves[spent + w->cost], S_and(w->there, open));
            }
        }
    }
    m->top = mark;
    return reached;
}
UNUSED static MS flood(machine *m, const links *t, MS start, MS closed, MS stops, const bars *b) {
    (void)m;
    const MS *links_ = t->all;
    MS reached = S_of(0), edge = start;
    if (b && !b->n) b = NULL;
    if (!b && !S_nz(stops)) {
        if (t->mutual && !t->areas) ((links *)t)->areas = calloc(1, sizeof(areas));
        if (t->areas && are_of(t->areas, links_, S_not(closed))) return reached_over(t->areas, links_, start);
        MS free_ = S_not(S_or(closed, start));
        for (int64_t here; (here = S_next(&edge)) >= 0 && here < SPACES; ) {
            MS found = S_and(links_[here], free_);
            free_ = S_xor(free_, found);
            reached = S_or(reached, found);
            edge = S_or(edge, found);
        }
        return reached;
    }
    MS done = S_or(closed, start);
    while (S_nz(edge)) {
        MS wave_ = S_of(0);
        for (int64_t here; (here = S_next(&edge)) >= 0 && here < SPACES; )
            wave_ = S_or(wave_, b ? S_and(links_[here], S_not(barred_from(here, b))) : links_[here]);
        wave_ = S_and(wave_, S_not(done));
        done = S_or(done, wave_);
        reached = S_or(reached, wave_);
        edge = S_and(wave_, S_not(stops));
    }
    return reached;
}
UNUSED static MS first_steps(machine *m, const links *t, MS start, MS closed, int64_t limit, int generous, const bars *b) {
    (void)m;
    MS reached = S_of(0), rest = start;
    if (b && !b->n) b = NULL;
    for (int64_t here; (here = S_next(&rest)) >= 0 && here < SPACES; )
        for (int32_t k = 0; k < t->costs_from[here]; k++) {
            const wave *w = &t->by_cost[here][k];
            if (w->cost > limit && !generous) break;
            reached = S_or(reached, b ? S_and(w->there, S_not(barred_from(here, b))) : w->there);
        }
    return S_and(reached, S_not(S_or(closed, start)));
}
UNUSED static MS origins_of(const MS *links_, MS closed, MS stops, MS goal) {
    MS entered = S_and(goal, S_not(closed)), edge = entered, found = S_of(0);
    while (S_nz(edge)) {
        MS near = S_of(0);
        for (int64_t here; (here = S_next(&edge)) >= 0 && here < SPACES; ) near = S_or(near, links_[here]);
        found = S_or(found, near);
        edge = S_and(near, S_not(S_or(S_or(closed, stops), entered)));
        entered = S_or(entered, edge);
    }
    return found;
}
