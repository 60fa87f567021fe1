"""Tables of positions as people have written them, right and wrong, for the tests of posenc-inspect.

    python tests/reference/mistakes.py FOLDER [small]

writes .npy files and cases.tsv, which says what each must be recognised as. `small` writes those that are kept in
tests/corpus/tables, of each mistake the smallest table; that needs PyTorch. All sizes are made when the tests run, by a
Python with NumPy; cases of code in PyTorch where it is there.

The code below is not how this project computes anything: it follows code that was published, with its idioms and with the
mistakes that were reported of it. Sources stand beside each.
"""

import math
import pathlib
import sys

import numpy as np

try:
    import torch
except ImportError:
    torch = None

CASES = []


def case(sizes, torch_needed=False, **expected):
    """Registers code with what its tables are. A value may be a function of positions and width."""

    def register(code):
        CASES.append((code.__name__, code, sizes, torch_needed, expected))
        return code

    return register


# The sizes that most code is run at: positions, width.
EVEN = [(8, 4), (32, 16), (64, 32), (50, 512), (512, 128), (2048, 64)]
FEW = [(16, 8), (64, 32), (512, 128)]

PAPER = dict(kind="sinusoidal", layout="interleaved", base=10000, start=0, exponent="2i/d", codes="correct")


# --- right ---


@case(EVEN + [(5000, 512), (8192, 1024)], torch_needed=True, **PAPER, arithmetic="f32*")
def annotated_transformer(n, d):
    """harvardnlp/annotated-transformer and PyTorch's tutorial on language modelling"""
    pe = torch.zeros(n, d)
    position = torch.arange(0, n).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d, 2) * -(math.log(10000.0) / d))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe.unsqueeze(0)


@case(EVEN, **PAPER, arithmetic="f64*")
def double_loop(n, d):
    """Machine Learning Mastery's getPositionEncoding"""
    P = np.zeros((n, d))
    for k in range(n):
        for i in np.arange(int(d / 2)):
            denominator = np.power(10000, 2 * i / d)
            P[k, 2 * i] = np.sin(k / denominator)
            P[k, 2 * i + 1] = np.cos(k / denominator)
    return P


@case([(20, 7), (64, 33), (512, 129)], **{**PAPER, "codes": "correct,odd-width"}, arithmetic="f64*")
def sinusoid_table(n, d):
    """jadore801120/attention-is-all-you-need-pytorch, which takes odd widths"""

    def get_position_angle_vec(position):
        return [position / np.power(10000, 2 * (hid_j // 2) / d) for hid_j in range(d)]

    table = np.array([get_position_angle_vec(pos_i) for pos_i in range(n)])
    table[:, 0::2] = np.sin(table[:, 0::2])
    table[:, 1::2] = np.cos(table[:, 1::2])
    return table


@case(FEW + [(4096, 256)], **{**PAPER, "layout": "concatenated"})
def tensorflow_tutorial(n, d):
    """tensorflow.org/text/tutorials/transformer: depth / 2 frequencies, then concatenated"""
    half = d / 2
    positions = np.arange(n)[:, np.newaxis]
    depths = np.arange(half)[np.newaxis, :] / half
    angle_rates = 1 / (10000**depths)
    angle_rads = positions * angle_rates
    return np.concatenate([np.sin(angle_rads), np.cos(angle_rads)], axis=-1).astype(np.float32)


@case(FEW + [(1500, 384)], **{**PAPER, "layout": "tensor2tensor", "exponent": "i/(d/2-1)"})
def whisper_sinusoids(n, d):
    """openai/whisper: sinusoids()"""
    log_timescale_increment = np.log(10000) / (d // 2 - 1)
    inv_timescales = np.exp(-log_timescale_increment * np.arange(d // 2)).astype(np.float32)
    scaled_time = np.arange(n, dtype=np.float32)[:, np.newaxis] * inv_timescales[np.newaxis, :]
    return np.concatenate([np.sin(scaled_time), np.cos(scaled_time)], axis=1).astype(np.float16)


@case([(20, 9), (128, 65)], **{**PAPER, "layout": "tensor2tensor", "exponent": "i/(d/2-1)", "codes": "correct,odd-width"})
def tensor2tensor_odd(n, d):
    """tensor2tensor's get_timing_signal_1d pads an odd width with a zero"""
    num_timescales = d // 2
    log_timescale_increment = math.log(1e4) / max(num_timescales - 1, 1)
    inv_timescales = np.exp(np.arange(num_timescales) * -log_timescale_increment)
    scaled_time = np.expand_dims(np.arange(n), 1) * np.expand_dims(inv_timescales, 0)
    signal = np.concatenate([np.sin(scaled_time), np.cos(scaled_time)], axis=1)
    return np.pad(signal, [[0, 0], [0, d % 2]])


@case([(128, 64), (1024, 768)], torch_needed=True, **PAPER, storage="bf16", arithmetic="-|f32|f64")
def stored_as_bfloat16(n, d):
    """register_buffer, then model.bfloat16()"""
    return annotated_transformer(n, d)[0].bfloat16()


@case(FEW, **PAPER)
def fortran_order(n, d):
    """np.array(columns).T keeps the order of the columns"""
    columns = []
    for i in range(d):
        trig = np.sin if i % 2 == 0 else np.cos
        columns.append(trig(np.arange(n) / 10000 ** (2 * (i // 2) / d)))
    return np.array(columns).T


@case(FEW, **PAPER)
def big_endian(n, d):
    return double_loop(n, d).astype(">f4")


# --- exponents ---


@case(FEW + [(4096, 1024)], **{**PAPER, "exponent": "column/d", "codes": "exponent-column"})
def exponent_of_the_column(n, d):
    """A common shortening: one matrix of angles, with the column for 2i"""
    pe = np.arange(n)[:, None] / np.power(10000, np.arange(d)[None, :] / d)
    pe[:, 0::2] = np.sin(pe[:, 0::2])
    pe[:, 1::2] = np.cos(pe[:, 1::2])
    return pe.astype(np.float32)


@case(FEW, torch_needed=True, **{**PAPER, "base": 1000, "exponent": "column/d", "codes": "exponent-column,base"})
def cosine_from_one(n, d):
    """maxjcohen/transformer#62"""
    PE = torch.zeros((n, d))
    pos = torch.arange(n).unsqueeze(1)
    PE[:, 0::2] = torch.sin(pos / torch.pow(1000, torch.arange(0, d, 2, dtype=torch.float32) / d))
    PE[:, 1::2] = torch.cos(pos / torch.pow(1000, torch.arange(1, d, 2, dtype=torch.float32) / d))
    return PE


@case(FEW, torch_needed=True, **{**PAPER, "exponent": "column/d", "codes": "exponent-column,exponent-doubled"})
def step_of_two_and_factor_two(n, d):
    """SamLynnEvans/Transformer#25: i runs over even columns already"""
    pe = torch.zeros(n, d)
    for pos in range(n):
        for i in range(0, d, 2):
            pe[pos, i] = math.sin(pos / (10000 ** ((2 * i) / d)))
            pe[pos, i + 1] = math.cos(pos / (10000 ** ((2 * (i + 1)) / d)))
    return pe


@case(FEW, **{**PAPER, "exponent": "column/d", "codes": "exponent-column,exponent-doubled"})
def deepctr(n, d):
    """shenweichen/DeepCTR#379"""
    position_enc = np.array([[pos / np.power(10000, 2.0 * i / d) for i in range(d)] for pos in range(n)])
    position_enc[:, 0::2] = np.sin(position_enc[:, 0::2])
    position_enc[:, 1::2] = np.cos(position_enc[:, 1::2])
    return position_enc


@case(FEW, **{**PAPER, "exponent": "4i/d", "codes": "exponent-doubled"})
def doubled(n, d):
    """The paper's 2i, with i stepping by two"""
    pe = np.zeros((n, d), dtype=np.float32)
    for i in range(0, d, 2):
        div = 10000 ** (2 * i / d)
        pe[:, i] = np.sin(np.arange(n) / div)
        pe[:, i + 1] = np.cos(np.arange(n) / div)
    return pe


@case(FEW, **{**PAPER, "base": "-", "exponent": "none", "codes": "no-division"})
def no_division(n, d):
    """2 * i // d is 0 for every pair: integer division, where a float was meant"""
    pe = np.zeros((n, d))
    for i in range(d // 2):
        div = 10000 ** (2 * i // d)
        pe[:, 2 * i] = np.sin(np.arange(n) / div)
        pe[:, 2 * i + 1] = np.cos(np.arange(n) / div)
    return pe


@case(FEW, **{**PAPER, "exponent": "i/(d/2-1)", "codes": "exponent-half-minus-one"})
def half_minus_one(n, d):
    """hojonathanho/diffusion#15's divisor in an interleaved table"""
    freq = np.exp(-math.log(10000) * np.arange(d // 2) / (d // 2 - 1))
    emb = np.arange(n)[:, None] * freq[None, :]
    return np.stack([np.sin(emb), np.cos(emb)], axis=-1).reshape(n, d)


@case(FEW, **{**PAPER, "base": 1000, "codes": "base"})
def base_1000(n, d):
    i = np.arange(d // 2)
    angle = np.outer(np.arange(n), 1000 ** (-2 * i / d))
    pe = np.empty((n, d), np.float32)
    pe[:, ::2], pe[:, 1::2] = np.sin(angle), np.cos(angle)
    return pe


@case([(64, 32), (512, 128)], **{**PAPER, "base": 100, "codes": "base"})
def exponent_halved(n, d):
    """10000 ** (i / d) with the pair for i: the same numbers as base 100, and as half of a wider table's columns"""
    pe = np.zeros((n, d))
    for i in range(d // 2):
        pe[:, 2 * i] = np.sin(np.arange(n) / 10000 ** (i / d))
        pe[:, 2 * i + 1] = np.cos(np.arange(n) / 10000 ** (i / d))
    return pe


@case([(64, 32), (512, 128)], **{**PAPER, "base": 12345, "codes": "base"})
def base_of_its_own(n, d):
    angle = np.outer(np.arange(n), 12345 ** (-2 * np.arange(d // 2) / d))
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(n, d)


# --- order and signs ---


@case(FEW, torch_needed=True, **{**PAPER, "swapped": 1, "codes": "swapped"})
def cosine_first(n, d):
    pe = torch.zeros(n, d)
    position = torch.arange(0, n, dtype=torch.float).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d, 2).float() * (-math.log(10000.0) / d))
    pe[:, 0::2] = torch.cos(position * div_term)
    pe[:, 1::2] = torch.sin(position * div_term)
    return pe


@case(FEW, **{**PAPER, "layout": "concatenated", "swapped": 1, "codes": "swapped"})
def guided_diffusion(n, d):
    """openai/guided-diffusion: timestep_embedding, cosines first"""
    half = d // 2
    freqs = np.exp(-math.log(10000) * np.arange(0, half, dtype=np.float32) / half)
    args = np.arange(n)[:, None].astype(np.float32) * freqs[None]
    return np.concatenate([np.cos(args), np.sin(args)], axis=-1)


@case(FEW, **{**PAPER, "sign": -1, "codes": "sign"})
def negative_exponent_of_e(n, d):
    """Positions counted backwards from 0, as in relative encodings"""
    return positions_of(np.arange(0, -n, -1), d)


@case(FEW, **{**PAPER, "transposed": 1, "codes": "transposed"})
def transposed(n, d):
    return np.ascontiguousarray(double_loop(n, d).T)


# --- positions ---


def positions_of(positions, d, base=10000):
    angle = positions[:, None] / base ** (2 * np.arange(d // 2) / d)
    pe = np.zeros((len(positions), d))
    pe[:, 0::2] = np.sin(angle)
    pe[:, 1::2] = np.cos(angle)
    return pe


@case(FEW, **{**PAPER, "start": 1, "codes": "start-offset"})
def from_one(n, d):
    """range(1, n + 1)"""
    return positions_of(np.arange(1, n + 1), d).astype(np.float32)


@case(FEW, torch_needed=True, **{**PAPER, "layout": "tensor2tensor", "exponent": "i/(d/2-1)", "start": 2, "codes": "start-offset"})
def after_padding(n, d):
    """fairseq's SinusoidalPositionalEmbedding, as it is indexed: positions begin at padding_idx + 1, here 2"""
    half_dim = d // 2
    emb = math.log(10000) / (half_dim - 1)
    emb = torch.exp(torch.arange(half_dim, dtype=torch.float) * -emb)
    emb = torch.arange(n + 2, dtype=torch.float).unsqueeze(1) * emb.unsqueeze(0)
    emb = torch.cat([torch.sin(emb), torch.cos(emb)], dim=1).view(n + 2, -1)
    return emb[2:]


@case(FEW, **{**PAPER, "start": 0, "codes": "zero-row"})
def padding_row(n, d):
    """jadore801120's older table: row 0 is for padding, and zero; position_enc[0] is skipped"""
    table = positions_of(np.arange(n), d)
    table[0] = 0
    return table


@case(FEW, **{**PAPER, "start": -1, "codes": "zero-row,start-offset"})
def padding_row_before(n, d):
    return np.concatenate([np.zeros((1, d)), positions_of(np.arange(n - 1), d)])


@case([(64, 32), (256, 128)], **{**PAPER, "start": 1000, "codes": "start-offset"})
def a_later_part(n, d):
    return positions_of(np.arange(1000, 1000 + n), d)


@case(FEW, **{**PAPER, "codes": "degrees"})
def degrees(n, d):
    """math.radians around an angle that is in radians already"""
    pe = np.zeros((n, d))
    angle = np.radians(np.arange(n)[:, None] / 10000 ** (2 * np.arange(d // 2) / d))
    pe[:, 0::2] = np.sin(angle)
    pe[:, 1::2] = np.cos(angle)
    return pe


@case(FEW, kind="constant", codes="repeated-row")
def added_along_the_batch(n, d):
    """pe is [n, 1, d], x is [batch, n, d]: x + pe[:x.size(0)] gives all tokens of a sequence one row"""
    pe = positions_of(np.arange(max(n, 32)), d)[:, None, :]
    x = np.zeros((2, n, d))
    return (x + pe[: x.shape[0]])[1]


@case(FEW, kind="constant", codes="repeated-row")
def one_row_expanded(n, d):
    """pe[:, T] for pe[:, :T], DiffPoseTalk#20"""
    pe = positions_of(np.arange(n + 1), d)[None]
    return np.repeat(pe[:, n], n, axis=0).astype(np.float32)


# --- precision ---


@case([(300, 8), (512, 64), (2048, 128), (4096, 768)], torch_needed=True, **{**PAPER, "codes": "half-precision-angle"}, arithmetic="bf16")
def bfloat16_throughout(n, d):
    """The module is made under a default type of bfloat16"""
    position = torch.arange(n, dtype=torch.bfloat16).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d, 2, dtype=torch.bfloat16) * (-math.log(10000.0) / d))
    pe = torch.zeros(n, d, dtype=torch.bfloat16)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe


@case([(300, 8), (512, 64), (2048, 128)], torch_needed=True, kind="rope-cos", layout="concatenated", base=10000, start=0,
      exponent="2i/d", codes="half-precision-angle", arithmetic="bf16")
def rope_positions_in_bfloat16(n, d):
    """transformers#25681: t in the type of the weights, inv_freq in single precision"""
    inv_freq = 1.0 / (10000 ** (torch.arange(0, d, 2).float() / d))
    t = torch.arange(n, dtype=torch.bfloat16)
    freqs = torch.outer(t.float(), inv_freq)
    return torch.cat((freqs, freqs), dim=-1).cos().float()


@case([(2100, 4), (4096, 128)], **{**PAPER, "codes": "half-precision-angle"}, arithmetic="f16")
def half_throughout(n, d):
    position = np.arange(n, dtype=np.float16)[:, None]
    div_term = (1 / 10000 ** (np.arange(0, d, 2) / d)).astype(np.float16)
    angle = position * div_term
    pe = np.zeros((n, d), np.float16)
    pe[:, 0::2] = np.sin(angle)
    pe[:, 1::2] = np.cos(angle)
    return pe


@case([(1000, 12), (8192, 64)], torch_needed=True, **{**PAPER, "codes": "correct,single-precision-angle"}, arithmetic="f32")
def single_precision_far_out(n, d):
    return annotated_transformer(n, d)


# --- scale ---


@case(FEW, **{**PAPER, "scale": lambda n, d: math.sqrt(d), "codes": "scaled"})
def times_root_of_width(n, d):
    """The factor of the embeddings, on the wrong summand"""
    return (positions_of(np.arange(n), d) * math.sqrt(d)).astype(np.float32)


@case(FEW, **{**PAPER, "scale": 0.02, "codes": "scaled"})
def as_an_initialisation(n, d):
    return (0.02 * positions_of(np.arange(n), d)).astype(np.float32)


@case([(64, 32), (512, 128)], **{**PAPER, "scale": "*", "codes": "scaled,shifted"})
def normalised(n, d):
    """gordicaleksa's and Keras examples: (pe - mean) / std"""
    pe = positions_of(np.arange(n), d)
    return (pe - pe.mean()) / (pe.std() * 10)


@case([(64, 32), (512, 128)], **{**PAPER, "scale": lambda n, d: math.sqrt(2 / d), "codes": "scaled"})
def rows_of_length_one(n, d):
    pe = positions_of(np.arange(n), d)
    return pe / np.linalg.norm(pe, axis=1, keepdims=True)


# --- damage ---


@case(FEW, **{**PAPER, "codes": "corrupt-cell"}, cell=lambda n, d: (n // 2, d - 3))
def one_wrong_cell(n, d):
    pe = positions_of(np.arange(n), d).astype(np.float32)
    pe[n // 2, d - 3] += 0.25
    return pe


@case(FEW, **{**PAPER, "codes": "not-finite"}, cell=lambda n, d: (n - 1, 1))
def a_nan(n, d):
    pe = positions_of(np.arange(n), d)
    pe[n - 1, 1] = np.nan
    return pe


@case(FEW, **{**PAPER, "codes": "truncated"}, cell=lambda n, d: (n - n // 4, 0))
def half_filled(n, d):
    """A buffer of max_len rows, of which fewer were written"""
    pe = np.zeros((n, d))
    pe[: n - n // 4] = positions_of(np.arange(n - n // 4), d)
    return pe


@case([(64, 32), (512, 128)], **{**PAPER, "codes": "truncated"})
def columns_cut(n, d):
    """pe[:, :d] of a table for a wider model"""
    return positions_of(np.arange(n), 3 * d // 2)[:, :d]


@case([(20, 7), (64, 33), (512, 129)], **{**PAPER, "codes": "odd-width"}, correct=0)
def odd_width_of_even(n, d):
    """pe[:, :d] of the table of d + 1"""
    return positions_of(np.arange(n), d + 1)[:, :d]


# --- caches for RoPE ---

ROPE = dict(base=10000, start=0, exponent="2i/d")


@case(FEW + [(4096, 128)], torch_needed=True, kind="rope-cos", layout="concatenated", **ROPE, codes="pair-order-hidden")
def llama_cos(n, d):
    """transformers: LlamaRotaryEmbedding"""
    inv_freq = 1.0 / (10000 ** (torch.arange(0, d, 2, dtype=torch.int64).float() / d))
    freqs = torch.outer(torch.arange(n).float(), inv_freq)
    return torch.cat((freqs, freqs), dim=-1).cos()


@case(FEW, torch_needed=True, kind="rope-sin", layout="interleaved", **ROPE, codes="pair-order-hidden")
def gptj_sin(n, d):
    """GPT-J: repeat_interleave(2)"""
    inv_freq = 1.0 / (10000 ** (torch.arange(0, d, 2).float() / d))
    sinusoid = torch.einsum("i,j->ij", torch.arange(n).float(), inv_freq)
    return torch.repeat_interleave(torch.sin(sinusoid), 2, dim=1)


@case([(64, 32), (2048, 64)], kind="rope-cos", layout="-", **{**ROPE, "base": 500000}, codes="pair-order-hidden")
def llama3_cos(n, d):
    """Meta's precompute_freqs_cis, its real part: a column per pair"""
    freqs = 1.0 / (500000 ** (np.arange(0, 2 * d, 2)[:d].astype(np.float32) / (2 * d)))
    return np.cos(np.outer(np.arange(n), freqs)).astype(np.float32)


# --- neither ---


@case([(64, 32), (512, 128)], kind="learned|unknown", codes="learned|unknown")
def untrained(n, d):
    return np.random.default_rng(n + d).normal(0, 0.02, (n, d)).astype(np.float32)


@case([(64, 32), (512, 128)], kind="learned", codes="learned")
def trained(n, d):
    """Smooth random curves with noise, a stand-in; real ones are in tests/corpus"""
    random = np.random.default_rng(n * d)
    waves = np.cumsum(random.normal(0, 1, (n, 6)), axis=0)
    return (waves @ random.normal(0, 0.02, (6, d)) + random.normal(0, 0.01, (n, d))).astype(np.float32)


@case([(196, 64)], kind="sinusoidal", layout="concatenated", base=10000, codes="axes", correct=0)
def mae_2d(n, d):
    """facebookresearch/mae: two axes of a grid, half of the width each"""
    side = int(math.sqrt(n))

    def of(pos, d):
        omega = 1.0 / 10000 ** (np.arange(d // 2) / (d / 2.0))
        out = np.einsum("m,d->md", pos.reshape(-1), omega)
        return np.concatenate([np.sin(out), np.cos(out)], axis=1)

    w, h = np.meshgrid(np.arange(side, dtype=float), np.arange(side, dtype=float))
    return np.concatenate([of(w, d // 2), of(h, d // 2)], axis=1)


@case([(64, 32)], kind="unknown|learned", codes="unknown|learned")
def shuffled_columns(n, d):
    return positions_of(np.arange(n), d)[:, np.random.default_rng(1).permutation(d)]


# --- files ---

FIELDS = ["kind", "layout", "base", "start", "exponent", "swapped", "sign", "scale", "transposed", "arithmetic",
          "storage", "codes", "correct", "cell"]


def save(path, table):
    if torch is not None and isinstance(table, torch.Tensor):
        if table.dtype == torch.bfloat16:
            # As ml_dtypes' bfloat16 is saved: |V2.
            np.save(path, table.view(torch.int16).numpy().view("V2"))
            return
        table = table.numpy()
    np.save(path, table)


def text(value, n, d):
    if callable(value):
        value = value(n, d)
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return str(value)


def main():
    folder = pathlib.Path(sys.argv[1])
    small = "small" in sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["\t".join(["file", *FIELDS])]
    for name, code, sizes, torch_needed, expected in CASES:
        if torch_needed and torch is None:
            continue
        for n, d in sizes[:1] if small else sizes:
            table = code(n, d)
            if small and getattr(table, "dtype", None) == np.float64:
                # Half the size, unless the last digits matter.
                table = table.astype(np.float32) if "f64" not in expected.get("arithmetic", "") else table
            file = f"{name}-{n}x{d}.npy"
            save(folder / file, table)
            lines.append("\t".join([file, *(text(expected.get(field, "*"), n, d) for field in FIELDS)]))
    (folder / "cases.tsv").write_text("\n".join(lines) + "\n")


main()
