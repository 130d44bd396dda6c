"use strict";
// Questions to the atlas: the grammar and the verdicts of `ccsim atlas query`, in exact integers.
{
  const DEEPEST = 40, LONGEST = 1000, MOST_BITS = 1 << 20;
  const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_][A-Za-z_0-9]*)|(<=|>=|!=|==|[-+*/()<>=]))/y;
  const COMPARISONS = ["<", "<=", ">", ">=", "=", "==", "!="], WORDS = ["and", "or", "not"];

  class WrongQuestion extends Error {}
  const wrong = text => { throw new WrongQuestion(text); };

  // ---- fractions: [numerator, positive denominator], reduced
  const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return a < 0n ? -a : a; };
  function fraction(a, b = 1n) {
    if (b < 0n) [a, b] = [-a, -b];
    const g = gcd(a, b) || 1n;
    return [a / g, b / g];
  }
  const ZERO = [0n, 1n];
  const plus = ([a, b], [c, d]) => fraction(a * d + c * b, b * d);
  const times = ([a, b], [c, d]) => fraction(a * c, b * d);
  const less = ([a, b], [c, d]) => a * d < c * b;
  const show = ([a, b]) => b === 1n ? String(a) : a + "/" + b;
  function number(text) {  // such as 3, 1/3 or 0.25
    const [first, second] = text.split("/"), [whole, digits = ""] = first.split(".");
    return fraction(BigInt(whole + digits), 10n ** BigInt(digits.length) * BigInt(second ?? 1));
  }
  function span(text) {  // a value, or an interval a..b, whose upper end may be missing
    const [low, high] = String(text).split("..");
    return [number(low), high === undefined ? number(low) : high === "" ? null : number(high)];
  }

  // ---- linear combinations of 1, of quantities, and of their binary logarithms
  const sum = (constant, terms = {}, logs = {}) => ({ constant, terms, logs });
  const isSum = found => typeof found !== "function";
  const isNumber = each => !Object.keys(each.terms).length && !Object.keys(each.logs).length;
  function scaled(each, factor) {
    const all = of => Object.fromEntries(Object.entries(of).filter(() => factor[0] !== 0n)
      .map(([name, c]) => [name, times(c, factor)]));
    return sum(times(each.constant, factor), all(each.terms), all(each.logs));
  }
  function added(one, other) {
    const both = (a, b) => {
      const total = { ...a };
      for (const [name, c] of Object.entries(b)) {
        total[name] = plus(total[name] ?? ZERO, c);
        if (!total[name][0]) delete total[name];
      }
      return total;
    };
    return sum(plus(one.constant, other.constant), both(one.terms, other.terms), both(one.logs, other.logs));
  }

  function valueOf(name, known) {  // its bounds [low, high or null]
    const [head, argument] = name.split(/[()]/);
    if (head === "error") return known[name] ?? [ZERO, ZERO];  // one message for each concept
    if (head !== "messages") return known[name];
    const error = number(argument), at = k => valueOf("error(" + k + ")", known);
    let k = 1;
    while (less(error, at(k)[0])) k += 1;
    const lower = k;
    while (less(error, at(k)[1] ?? ZERO)) k += 1;
    return [[BigInt(lower), 1n], [BigInt(k), 1n]];
  }

  function signOfLogarithms(constant, logs) {  // of a number plus multiples of binary logarithms
    const unit = logs.reduce((a, [[, d]]) => a * d / gcd(a, d), constant[1]);
    const powers = [[constant, [2n, 1n]], ...logs].map(([[a, b], size]) => [a * unit / b, size[0]]);
    const bits = powers.reduce((t, [e, size]) => t + Math.abs(Number(e)) * size.toString(2).length, 0);
    if (bits > MOST_BITS) wrong("the numbers are too long for a comparison with logarithms");
    let above = 1n, below = 1n;
    for (const [e, size] of powers) if (e > 0n) above *= size ** e; else below *= size ** -e;
    return (above > below) - (above < below);
  }

  function sign(total, known, lower) {  // of the smallest (`lower`) or the largest possible value
    let worst = total.constant;
    const logs = [];
    for (const terms of [total.terms, total.logs]) {
      for (const [name, factor] of Object.entries(terms)) {
        const bound = valueOf(name, known)[factor[0] > 0n === lower ? 0 : 1];
        if (bound === null) return lower ? -1 : 1;
        if (terms === total.logs) logs.push([factor, bound]);
        else worst = plus(worst, times(factor, bound));
      }
    }
    return logs.length ? signOfLogarithms(worst, logs) : (worst[0] > 0n) - (worst[0] < 0n);
  }

  function compared(difference, operator, known) {  // true, false, or null if bounds leave it open
    let low = sign(difference, known, true), high = sign(difference, known, false);
    if (operator[0] === ">") [low, high] = [-high, -low];
    if (operator === "<" || operator === ">") return high < 0 ? true : low >= 0 ? false : null;
    if (operator === "<=" || operator === ">=") return high <= 0 ? true : low > 0 ? false : null;
    const equal = low === 0 && high === 0 ? true : low > 0 || high < 0 ? false : null;
    return operator !== "!=" || equal === null ? equal : !equal;
  }

  const joined = (left, right, decides) => known => {  // `decides` is true for "or"
    const both = [left(known), right(known)];
    return both.includes(decides) ? decides : both.includes(null) ? null : !decides;
  };

  class Reader {  // recursive descent
    constructor(text, atlas) {
      if (text.length > LONGEST) wrong(`question must have at most ${LONGEST} characters`);
      this.atlas = atlas;
      this.asked = new Set();
      this.left = [];
      for (let place = 0; text.slice(place).trim();) {
        TOKEN.lastIndex = place;
        const match = TOKEN.exec(text);
        if (!match) wrong(`question contains '${text.slice(place).trim().slice(0, 20)}', which cannot be read`);
        this.left.push(match[0].trim());
        place = TOKEN.lastIndex;
      }
      this.left.reverse();
    }

    expected(what) {
      const last = this.left.at(-1);
      return wrong(`expected ${what}, not ${last === undefined ? "the end" : `'${last}'`}`);
    }
    takes(...tokens) { return tokens.includes(this.left.at(-1)) ? this.left.pop() : ""; }
    verdict(found) { return isSum(found) ? this.expected("a comparison") : found; }
    number(found) { return isSum(found) ? found : wrong("expected a number, not a comparison"); }

    either(depth) { return this.joins("or", () => this.joins("and", () => this.negated(depth))); }
    joins(word, read) {
      let found = read();
      while (this.takes(word)) found = joined(this.verdict(found), this.verdict(read()), word === "or");
      return found;
    }

    negated(depth) {
      if (depth > DEEPEST) wrong(`question must have at most ${DEEPEST} nested parentheses or signs`);
      if (this.takes("not")) {
        const verdict = this.verdict(this.negated(depth + 1));
        return known => { const v = verdict(known); return v === null ? null : !v; };
      }
      let first = this.sum(depth), found = null;
      for (let operator; (operator = this.takes(...COMPARISONS));) {
        const second = this.number(this.sum(depth));
        const difference = added(this.number(first), scaled(second, [-1n, 1n]));
        const one = known => compared(difference, operator, known);
        found = found ? joined(found, one, false) : one;
        first = second;
      }
      return found ?? first;
    }

    sum(depth) {
      let found = this.product(depth);
      for (let sign; (sign = this.takes("+", "-"));) {
        const other = scaled(this.number(this.product(depth)), [sign === "+" ? 1n : -1n, 1n]);
        found = added(this.number(found), other);
      }
      return found;
    }

    product(depth) {
      let found = this.factor(depth);
      for (let sign; (sign = this.takes("*", "/"));) {
        let left = this.number(found), right = this.number(this.factor(depth));
        if (sign === "/" || !isNumber(left)) [left, right] = [right, left];
        if (!isNumber(left)) wrong("quantities may be multiplied and divided only by numbers");
        const [a, b] = left.constant;
        if (sign === "/" && !a) wrong("question must not divide by 0");
        found = scaled(right, sign === "/" ? fraction(b, a) : [a, b]);
      }
      return found;
    }

    factor(depth) {
      if (depth > DEEPEST) wrong(`question must have at most ${DEEPEST} nested parentheses or signs`);
      if (this.takes("-")) return scaled(this.number(this.factor(depth + 1)), [-1n, 1n]);
      if (this.takes("(")) {
        const found = this.either(depth + 1);
        return this.takes(")") ? found : this.expected("')'");
      }
      const token = this.left.at(-1) ?? "(";
      if (WORDS.includes(token) || !/\w/.test(token[0])) this.expected("a quantity or a number");
      this.left.pop();
      return /\d/.test(token[0]) ? sum(number(token)) : this.quantity(token);
    }

    quantity(name) {
      const about = this.atlas.quantities[name];
      if (!about) {
        const close = Object.keys(this.atlas.quantities).filter(each => each.includes(name));
        wrong(`unknown quantity '${name.slice(0, 40)}'` + (close.length ? `; did you mean ${close.join(" or ")}?` : ""));
      }
      if (!about.arguments) {
        this.asked.add(name);
        return sum(ZERO, { [name]: [1n, 1n] });
      }
      const example = about.arguments === "k" ? "(3)" : `(${this.atlas.errors[0]})`;
      if (!this.takes("(")) wrong(`${name} needs an argument: ${name}${example}`);
      const argument = this.number(this.sum(DEEPEST - 1));
      if (!isNumber(argument) || !this.takes(")")) wrong(`${name} takes one number as its argument: ${name}${example}`);
      const value = argument.constant, text = show(value);
      if (about.arguments === "k" && (value[1] !== 1n || value[0] < 1n)) wrong(`the argument of ${name} must be a number of messages, not ${text}`);
      if (about.arguments === "e" && !(value[0] >= 0n && value[0] < value[1])) wrong(`the argument of ${name} must be an error in [0, 1), not ${text}`);
      if (about.arguments === "e1" && !this.atlas.errors.includes(text)) wrong(`${name} is known for the errors ${this.atlas.errors.join(" and ")}, not ${text}`);
      this.asked.add(`${name}(${text})`);
      if (name === "drdim" || name === "prdim") return sum(ZERO, {}, { [`${name.slice(0, 2)}size(${text})`]: [1n, 1n] });
      if (about.arguments === "k" && value[0] > 1n << BigInt(this.atlas.full)) return sum(ZERO);
      return sum(ZERO, { [`${name}(${text})`]: [1n, 1n] });
    }
  }

  function readQuestion(text, atlas) {
    const reader = new Reader(text, atlas), found = reader.either(0);
    if (reader.left.length) reader.expected("'and', 'or' or the end");
    if (isSum(found)) wrong("question must contain a comparison, such as littlestone = 2");
    const asked = [...reader.asked];
    if (!asked.length) wrong("question must contain a quantity");
    const points = Math.min(...asked.map(name => atlas.quantities[name.split("(")[0]].points));
    return { asked, points, holds: found };
  }

  function readRows(atlas) {  // the columns of the file as objects with bounds
    return atlas.rows.map(([points, chosen, classes, ...texts]) => {
      const known = { points: span(points) };
      atlas.columns.forEach((name, i) => {
        if (texts[i] === null) return;
        if (name === "error") String(texts[i]).split(" ").forEach((each, k) => { known[`error(${k + 1})`] = span(each); });
        else known[name] = span(texts[i]);
      });
      return { points, chosen, classes, known, identifier: `C${points}.${chosen}` };
    });
  }

  function shown(name, known) {  // a value as text
    const [head] = name.split("(");
    if (head === "drdim" || head === "prdim") return `log2(${shown(name.replace("dim", "size"), known)})`;
    const [low, high] = valueOf(name, known);
    if (high === null) return show(low) + "..";
    return low[0] === high[0] && low[1] === high[1] ? show(low) : show(low) + ".." + show(high);
  }

  globalThis.atlasQuery = { readQuestion, readRows, shown, valueOf, less, WrongQuestion };
}
