/* Connected areas of open spaces, kept between questions. Stones are set one by one and units move one by one: what is
   open changes by a few spaces, and only the areas they touch are other ones. Areas that lost a space are forgotten,
   a space that came joins the areas around it. For links that lead both ways; each machine has its own. */
typedef struct {
    MS open; /* what the areas are of */
    MS known; /* the spaces whose areas are known */
    MS before; /* what was asked about before, when that was something else */
    MS area[SPACES]; /* the area at a place; a place is the number of a space in it */
    int32_t place[SPACES]; /* of every known space */
} areas;
#define FEW_SPACES 16 /* more are another map */
static void forget_area(areas *a, int64_t space) {
    a->known = S_and(a->known, S_not(a->area[a->place[space]]));
}
static void follow(areas *a, const MS *links_, MS open) {
    MS gone = S_and(a->open, S_not(open)), come = S_and(open, S_not(a->open)), now = S_and(a->open, open);
    for (int64_t i; (i = S_next(&gone)) >= 0 && i < SPACES; )
        if (S_in(&a->known, i)) forget_area(a, i);
    for (int64_t here; (here = S_next(&come)) >= 0 && here < SPACES; ) {
        MS near = S_and(links_[here], now);
        S_put(&now, here);
        if (S_nz(S_and(near, S_not(a->known)))) { /* whoever it joins is not known */
            for (int64_t i; (i = S_next(&near)) >= 0 && i < SPACES; )
                if (S_in(&a->known, i)) forget_area(a, i);
            continue;
        }
        MS whole = S_bit(here);
        int64_t place = here, most = 0;
        while (S_nz(near)) {
            int64_t one = a->place[S_first(near)], many = S_count(a->area[one]);
            near = S_and(near, S_not(a->area[one]));
            whole = S_or(whole, a->area[one]);
            if (many > most) { most = many; place = one; }
        }
        MS joined = most ? S_and(whole, S_not(a->area[place])) : whole;
        for (int64_t i; (i = S_next(&joined)) >= 0 && i < SPACES; ) a->place[i] = (int32_t)place;
        a->area[place] = whole;
        S_put(&a->known, here);
    }
    a->open = open;
}
static MS area_of(areas *a, const MS *links_, int64_t here) {
    if (S_in(&a->known, here)) return a->area[a->place[here]];
    MS edge = S_bit(here), whole = edge, free_ = S_and(a->open, S_not(edge));
    for (int64_t i; (i = S_next(&edge)) >= 0 && i < SPACES; ) {
        a->place[i] = (int32_t)here;
        MS found = S_and(links_[i], free_);
        free_ = S_xor(free_, found);
        whole = S_or(whole, found);
        edge = S_or(edge, found);
    }
    a->area[here] = whole;
    a->known = S_or(a->known, whole);
    return whole;
}
/* whether `a` is about these open spaces now; what is asked about once, and is far from what is known, is not kept */
static int are_of(areas *a, const MS *links_, MS open) {
    if (S_eq(a->open, open)) return 1;
    if (S_count(S_xor(a->open, open)) <= FEW_SPACES) follow(a, links_, open);
    else if (S_eq(a->before, open)) {
        a->open = open;
        a->known = S_of(0);
    } else {
        a->before = open;
        return 0;
    }
    return 1;
}
/* the open spaces that any number of steps over open spaces leads to, without the start */
static MS reached_over(areas *a, const MS *links_, MS start) {
    MS out = S_of(0), rest = start;
    for (int64_t here; (here = S_next(&rest)) >= 0 && here < SPACES; ) {
        MS from = S_in(&a->open, here) ? S_bit(here) : S_and(links_[here], a->open);
        for (int64_t i; (i = S_next(&from)) >= 0 && i < SPACES; )
            if (!S_in(&out, i)) out = S_or(out, area_of(a, links_, i));
    }
    return S_and(out, S_not(start));
}
