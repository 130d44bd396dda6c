// Steps through a protocol: each message leaves a rectangle of inputs, the others are dimmed.
{
  const isTurn = node => Array.isArray(node);  // [side, message of each input of the player]

  function child(nodes, i, message) {  // of a tree in preorder
    for (i += 1; message > 0; message -= 1) {
      let open = 1;
      for (; open > 0; i += 1) open += isTurn(nodes[i]) ? Math.max(...nodes[i][1]) : -1;
    }
    return i;
  }

  function played(nodes, inputs, sizes) {  // each message, with the rectangle after it
    const left = sizes.map(size => [...Array(size).keys()]), steps = [];
    let i = 0;
    while (isTurn(nodes[i])) {
      const [side, messages] = nodes[i], message = messages[inputs[side]];
      const length = Math.ceil(Math.log2(Math.max(...messages) + 1));
      left[side] = left[side].filter(each => messages[each] === message);
      const bits = message.toString(2).padStart(length, "0");
      steps.push({ side, bits, length, left: [...left] });
      i = child(nodes, i, message);
    }
    return { steps, answer: nodes[i] };
  }

  for (const section of document.querySelectorAll(".play")) {
    const { sides, rows, trees } = JSON.parse(section.querySelector("script").textContent);
    const sizes = sides.map(side => side.length), chosen = section.querySelectorAll("select");
    const [back, next, end] = section.querySelectorAll("button");
    const sent = section.querySelector(".sent"), status = section.querySelector(".verdict");
    const cells = [...section.querySelectorAll("tbody tr")].map(row => [...row.cells].slice(1));
    let step = 0;

    function show(wanted) {
      const [x, y, coins = 0] = [...chosen].map(each => Number(each.value));
      const { steps, answer } = played(trees[coins], [x, y], sizes);
      step = Math.max(0, Math.min(wanted, steps.length));
      const left = step ? steps[step - 1].left : sizes.map(size => [...Array(size).keys()]);
      sent.replaceChildren(...steps.slice(0, step).map(each => {
        const item = document.createElement("li"), own = each.left[each.side];
        const rest = own.length === sizes[each.side] ? "all" : own.map(i => sides[each.side][i]).join(", ");
        item.textContent = `${["Alice", "Bob"][each.side]} sends ${each.length ? each.bits : "nothing"}; `
          + `${["her", "his"][each.side]} inputs that remain: ${rest}`;
        return item;
      }));
      cells.forEach((row, i) => row.forEach((cell, j) => {
        cell.classList.toggle("out", !(left[0].includes(i) && left[1].includes(j)));
        cell.classList.toggle("marked", i === x && j === y);
      }));
      const isEnd = step === steps.length, value = rows[x][y], isRight = value === String(answer);
      const bits = steps.slice(0, step).reduce((sum, each) => sum + each.length, 0);
      const verdict = value === "*" ? "outside the promise" : isRight ? "correct" : `wrong: the value is ${value}`;
      status.className = "verdict" + (!isEnd || value === "*" ? "" : isRight ? " good" : " bad");
      status.textContent = `${bits} ${bits === 1 ? "bit" : "bits"} sent. `
        + (isEnd ? `The answer is ${answer} (${verdict}).` : `${left[0].length} x ${left[1].length} inputs remain.`);
      back.disabled = step === 0;
      next.disabled = end.disabled = isEnd;
    }

    back.onclick = () => show(step - 1);
    next.onclick = () => show(step + 1);
    end.onclick = () => show(Infinity);
    for (const each of chosen) each.onchange = () => show(0);
    section.querySelector(".screen").hidden = false;
    show(0);
  }
}
