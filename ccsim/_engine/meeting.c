/* Sets of so many hypotheses that meet more than a target of the weight of some rows.
 *
 * A depth-first search: what meets most comes first, and a case is closed where as many of the
 * hypotheses that are left as may still be chosen meet too little even if no two of them meet the
 * same; for a tree, where as many of the best one do.  The search may be paused and gone on with. */
#include "engine.h"

typedef struct {
    i64 met, num, at;                /* weight met before; hypotheses left; the next one to try */
    i64 *gains, *order;              /* what each meets of what is open; the best ones first */
    u64 *open;                       /* rows that none meets */
} Level;

typedef struct {
    i64 num_rows, num, words, size, level, target, rising, as_tree;
    i64 *parts, *kinds, *chosen;     /* for each row its weight where a hypothesis meets it */
    u64 *held;                       /* for each hypothesis the rows that it meets */
    Level *levels;
} Meeting;

EXPORT void ccsim_meeting_freed(Meeting *m) {
    if (!m) return;
    for (i64 i = 0; m->levels && i < m->size; i++)
        free(m->levels[i].gains), free(m->levels[i].order), free(m->levels[i].open);
    free(m->levels), free(m->parts), free(m->kinds), free(m->chosen), free(m->held);
    free(m);
}

static void sort(Level *l) {
    for (i64 i = 1; i < l->num; i++) {
        i64 j = l->order[i], k = i;
        for (; k && l->gains[l->order[k - 1]] < l->gains[j]; k--) l->order[k] = l->order[k - 1];
        l->order[k] = j;
    }
    l->at = 0;
}

/* Take for each row which of the hypotheses meet it, one byte each, the weights of the rows, and
 * the kinds of the hypotheses.  If the target rises, it is what the best set so far meets. */
EXPORT Meeting *ccsim_meeting_made(const unsigned char *holds, const i64 *weights,
                                   const i64 *kinds, i64 num_rows, i64 num, i64 size, i64 target,
                                   i64 rising, i64 as_tree) {
    Meeting *m = calloc(1, sizeof(Meeting));
    if (!m) return NULL;
    m->num_rows = num_rows, m->num = num, m->words = (num_rows + 63) / 64, m->size = size;
    m->target = target, m->rising = rising, m->as_tree = as_tree;
    m->parts = calloc(num_rows * num + 1, sizeof(i64));
    m->kinds = malloc(num * sizeof(i64) + 1);
    m->chosen = malloc(size * sizeof(i64));
    m->held = calloc(num * m->words + 1, sizeof(u64));
    m->levels = calloc(size, sizeof(Level));
    if (!m->parts || !m->kinds || !m->chosen || !m->held || !m->levels)
        return ccsim_meeting_freed(m), NULL;
    for (i64 i = 0; i < size; i++) {
        Level *l = m->levels + i;
        l->gains = calloc(num + 1, sizeof(i64)), l->order = calloc(num + 1, sizeof(i64));
        l->open = calloc(m->words + 1, sizeof(u64));
        if (!l->gains || !l->order || !l->open) return ccsim_meeting_freed(m), NULL;
    }
    Level *first = m->levels;
    for (i64 i = 0; i < num_rows; i++) {
        first->open[i / 64] |= (u64)1 << i % 64;
        for (i64 j = 0; j < num; j++) {
            if (!holds[i * num + j]) continue;
            m->parts[i * num + j] = weights[i], first->gains[j] += weights[i];
            m->held[j * m->words + i / 64] |= (u64)1 << i % 64;
        }
    }
    memcpy(m->kinds, kinds, num * sizeof(i64));
    first->num = num;
    for (i64 j = 0; j < num; j++) first->order[j] = j;
    sort(first);
    return m;
}

/* Choose a hypothesis at a level: list what is left beside it, and return how much work it was. */
static i64 chosen(Meeting *m, Level *l, i64 j) {
    Level *next = l + 1;
    i64 work = m->num;
    memcpy(next->gains, l->gains, m->num * sizeof(i64));
    for (i64 w = 0; w < m->words; w++) {
        u64 held = m->held[j * m->words + w];
        next->open[w] = l->open[w] & ~held;
        for (u64 v = l->open[w] & held; v; v &= v - 1) {
            const i64 *part = m->parts + (64 * w + __builtin_ctzll(v)) * m->num;
            for (i64 k = 0; k < m->num; k++) next->gains[k] -= part[k];
            work += m->num;
        }
    }
    next->met = l->met + l->gains[j], next->num = l->num - l->at;
    memcpy(next->order, l->order + l->at, next->num * sizeof(i64));
    return work;
}

/* What is met at most with what is left at a level. */
static i64 bound(const Meeting *m, const Level *l) {
    i64 more = m->size - m->level, most = l->met;
    if (m->as_tree) return most + more * l->gains[l->order[l->at]];
    for (i64 i = l->at; i < l->at + more && i < l->num; i++) most += l->gains[l->order[i]];
    return most;
}

/* Go on with a search for so much work, or until so many sets or steps are written; return the
 * numbers of both, and whether the search has ended.  A step goes on with a hypothesis, or, as -1,
 * back from one. */
EXPORT void ccsim_meeting_searched(Meeting *m, i64 work, i64 most, i64 *sets, i64 *steps,
                                   i64 *out) {
    i64 found = 0, walked = 0;
    while (m->level >= 0 && work > 0 && found < most && walked + 2 < most) {
        Level *l = m->levels + m->level;
        if (l->at >= l->num || bound(m, l) <= m->target) {
            if (m->level-- && m->as_tree) steps[walked++] = -1;
            continue;
        }
        i64 is_last = m->size - m->level == 1, j = l->order[l->at++];
        m->chosen[m->level] = j;
        if (!is_last && m->as_tree) steps[walked++] = j;
        if (is_last || l->at == l->num) { /* fewer hypotheses are left than may be chosen */
            i64 met = l->met + l->gains[j];
            if (!is_last && m->as_tree) steps[walked++] = -1;
            if (met <= m->target) continue;
            for (i64 i = 0; i < m->size; i++) *sets++ = m->chosen[i <= m->level ? i : m->level];
            found++;
            if (m->rising) m->target = met;
            continue;
        }
        work -= chosen(m, l, j);
        if (!m->level) { /* whatever set has one of its kind has an image with this one */
            i64 kept = l->at;
            for (i64 i = l->at; i < l->num; i++)
                if (m->kinds[l->order[i]] != m->kinds[j]) l->order[kept++] = l->order[i];
            l->num = kept;
        }
        m->level++;
        sort(m->levels + m->level);
    }
    out[0] = found, out[1] = walked, out[2] = m->level < 0;
}
