/** @jsxImportSource preact */
import "posenc";
import { render } from "preact";
import { useState } from "preact/hooks";

function App() {
  const [k, setK] = useState(3);
  const [shown, setShown] = useState(true);
  return (
    <>
      <label>
        k = {k} <input type="range" max="20" value={k} onInput={(event) => setK(event.currentTarget.valueAsNumber)} />
      </label>
      <button onClick={() => setShown(!shown)}>{shown ? "Hide" : "Show"}</button>
      {shown && (
        <pe-figure
          view="rotation"
          d-model={64}
          controls="k pair"
          state={{ k }}
          onpe-change={(event) => setK(Number(event.detail.state.k))}
        >
          A pair of dimensions on its dial.
        </pe-figure>
      )}
    </>
  );
}

render(<App />, document.querySelector("#app")!);
