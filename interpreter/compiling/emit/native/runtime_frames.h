/* Open procedures in a pile, and decisions that wait: what blocks call (frames.py writes them). */
#include <stddef.h>
UNUSED static void *pushed(machine *m, int64_t words, int64_t next) {
    if (UNLIKELY(m->deep >= DEEPEST_FRAME || m->pile_top + words > PILE)) stop(m, DEPTH);
    int64_t *g = m->pile + m->pile_top;
    memset(g, 0, (size_t)words * sizeof *g);
    g[0] = next;
    g[1] = ++m->serial;
    m->height[m->deep++] = m->pile_top;
    m->pile_top += words;
    return g;
}
static void offer_room(machine *m, int64_t words) {
    if (LIKELY(words <= m->offer_room)) return;
    void *more = realloc(m->offer, (size_t)words * 2 * sizeof *m->offer);
    if (!more) stop(m, MEMORY);
    m->offer = more;
    m->offer_room = 2 * words;
}
/* somebody is asked; where the options are to be written: a mask (width 0), or `width` words for each */
UNUSED static int64_t *asking(machine *m, int64_t site, int64_t who, int out, int64_t count, int64_t width, int64_t words) {
    if (UNLIKELY(count <= 0)) stop(m, BOUNDS);
    offer_room(m, words);
    m->site = site;
    m->who = who;
    m->out_ = out;
    m->width = width;
    m->offered = count;
    m->offer_words = words;
    return m->offer;
}
