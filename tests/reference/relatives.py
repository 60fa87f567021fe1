#!/usr/bin/env python3
"""Writes relatives.tsv: what reference implementations say of the encodings beside the sinusoidal one.

Each line holds a kind, its parameters and the values, separated by tabs; parameters and values by spaces. The file in
the repository was made under Python 3.11 with transformers 4.49.0, torch 1.13.1, NumPy 1.24.2 and SciPy 1.10.1:

    rope-frequencies  rule d_head base trained factor length: the attention factor, then frequencies in f32
                      (transformers.modeling_rope_utils)
    rope-halves       d_head base position, the vector: turned (apply_rotary_pos_emb of transformers' llama, in f64)
    rope-adjacent     the same (apply_rotary_pos_emb of transformers' gptj)
    rope-order        d_head: the row of the weights for adjacent pairs that each row for halves is (the permutation of
                      transformers' convert_llama_weights_to_hf.py, rewritten here: it is a nested function)
    alibi             heads: slopes in f32 (build_alibi_tensor of transformers' bloom)
    t5                buckets max_distance causal first: buckets of the offsets key - query from the first on
                      (T5Attention._relative_position_bucket)
    xl-shift          queries keys, the matrix: shifted (_rel_shift of transformers' transfo_xl)
    xl-attention      queries keys d_head, then queries, keys, W_kR, u and v: rows of the softmax (its
                      RelPartialLearnableMultiHeadAttn with one head, masked ahead, in f32)
    mrope             d_head base, time height width, the vector: turned (apply_multimodal_rotary_pos_emb of
                      transformers' qwen2_vl, in f64, sections of the 128 of Qwen2-VL in proportion)
    places            tokens_per_second (0: Qwen2-VL), segments: time height width of every token (get_rope_index of
                      transformers' qwen2_vl and qwen2_5_vl)
    grid              rows d_model: the table with its class token (get_2d_sincos_pos_embed of transformers' vit_mae, a
                      copy of MAE's)
    resize-edges      rows columns, new rows and columns, the grid: interpolated (torch.nn.functional.interpolate,
                      bilinear, align_corners=False)
    resize-middles    the same (scipy.ndimage.zoom with order 1, as the ViT authors' code calls it)
"""
import math
import types
import warnings
from pathlib import Path

import numpy as np
import scipy.ndimage
import torch
from transformers import modeling_rope_utils
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.deprecated.transfo_xl.modeling_transfo_xl import RelPartialLearnableMultiHeadAttn
from transformers.models.gptj import modeling_gptj
from transformers.models.llama import modeling_llama
from transformers.models.qwen2_5_vl.modeling_qwen2_5_vl import Qwen2_5_VLForConditionalGeneration
from transformers.models.qwen2_vl.modeling_qwen2_vl import (
    Qwen2VLForConditionalGeneration,
    apply_multimodal_rotary_pos_emb,
)
from transformers.models.t5.modeling_t5 import T5Attention
from transformers.models.vit_mae.modeling_vit_mae import get_2d_sincos_pos_embed

warnings.filterwarnings("ignore")
torch.manual_seed(1)


def vector(*shape):
    # Rounded, so that both sides begin with the same numbers.
    return torch.round(torch.randn(*shape, dtype=torch.float64), decimals=3)


def numbers(*parts):
    words = []
    for part in parts:
        values = part.flatten().tolist() if isinstance(part, (torch.Tensor, np.ndarray)) else [part]
        words += [str(value) for value in values]
    return " ".join(words)


def frequencies():
    for d_head, base, trained, factor, length in [(128, 1e4, 4096, 16, 65536), (128, 5e5, 8192, 8, 131072),
                                                  (64, 1e4, 2048, 4, 3000), (64, 1e6, 32768, 4, 1000),
                                                  (16, 1e4, 512, 2, 1024), (8, 1e4, 64, 32, 4096)]:
        for rule in ["default", "linear", "dynamic", "yarn", "llama3"]:
            config = types.SimpleNamespace(
                rope_theta=base, head_dim=d_head, hidden_size=d_head, num_attention_heads=1,
                max_position_embeddings=trained,
                rope_scaling={"factor": float(factor), "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                              "original_max_position_embeddings": trained})
            after, attention = modeling_rope_utils.ROPE_INIT_FUNCTIONS[rule](config, "cpu", seq_len=length)
            yield "rope-frequencies", numbers(rule, d_head, base, trained, factor, length), numbers(attention, after)


def angles(d_head, base, position):
    inverse = 1.0 / base ** (torch.arange(0, d_head, 2, dtype=torch.float64) / d_head)
    return inverse * position


def rope():
    for d_head, base, position in [(2, 1e4, 1), (8, 1e4, 3), (8, 1e4, -5), (16, 5e5, 1000), (64, 1e4, 4095)]:
        x, angle = vector(d_head), angles(d_head, base, position)
        twice = torch.cat([angle, angle])
        turned, _ = modeling_llama.apply_rotary_pos_emb(x[None, None, None], x[None, None, None], twice.cos()[None, None],
                                                        twice.sin()[None, None])
        yield "rope-halves", numbers(d_head, base, position, x), numbers(turned)
        turned = modeling_gptj.apply_rotary_pos_emb(x[None, None, None], angle.sin()[None, None], angle.cos()[None, None])
        yield "rope-adjacent", numbers(d_head, base, position, x), numbers(turned)
    for d_head in [2, 8, 10]:
        order = torch.arange(d_head).view(d_head // 2, 2).transpose(0, 1)
        yield "rope-order", d_head, numbers(order)


def alibi():
    for heads in [1, 2, 3, 4, 6, 8, 12, 16, 20, 25, 40, 71]:
        bias = build_alibi_tensor(torch.ones(1, 2), heads, torch.float32)
        yield "alibi", heads, numbers(bias[:, 0, 1])


def t5():
    for buckets, distance in [(32, 128), (32, 64), (16, 100), (64, 512), (10, 30)]:
        for causal in [False, True]:
            found = T5Attention._relative_position_bucket(torch.arange(-700, 301), not causal, buckets, distance)
            yield "t5", numbers(buckets, distance, int(causal), -700), numbers(found)


def xl():
    for queries, keys in [(1, 1), (1, 4), (3, 3), (3, 5)]:
        matrix = vector(queries, keys)
        shifted = RelPartialLearnableMultiHeadAttn._rel_shift(None, matrix[:, :, None, None])
        yield "xl-shift", numbers(queries, keys, matrix), numbers(shifted)
    d_head, queries, keys = 6, 3, 5
    head = RelPartialLearnableMultiHeadAttn(1, d_head, d_head, 0.0).eval()
    tokens, projections = vector(keys, d_head), vector(3, d_head, d_head)
    with torch.no_grad():
        head.qkv_net.weight.copy_(projections.flatten(0, 1))
        head.r_net.weight.copy_(vector(d_head, d_head))
        head.r_w_bias.copy_(vector(1, d_head))
        head.r_r_bias.copy_(vector(1, d_head))
        offset = torch.arange(keys - 1, -1, -1.0, dtype=torch.float64)
        angle = offset[:, None] / 10000 ** (torch.arange(0, d_head, 2, dtype=torch.float64) / d_head)
        r = torch.cat([angle.sin(), angle.cos()], dim=-1)
        memory = keys - queries
        ahead = torch.triu(torch.ones(queries, keys), diagonal=memory + 1)
        w = tokens.float()[:, None]
        _, rows = head(w[memory:], r.float()[:, None], attn_mask=ahead[:, :, None], mems=w[:memory],
                       output_attentions=True)
    q, k = tokens[memory:] @ projections[0].T, tokens @ projections[1].T
    parts = q, k, head.r_net.weight.detach(), head.r_w_bias.detach(), head.r_r_bias.detach()
    yield "xl-attention", numbers(queries, keys, d_head, *parts), numbers(rows)


def mrope():
    for d_head, base, place in [(128, 1e6, (3, 5, 900)), (128, 1e6, (7, 7, 7)), (16, 1e4, (1, 2, 3))]:
        sections = [d_head // 8, d_head * 3 // 16, d_head * 3 // 16]
        x = vector(d_head)
        angle = torch.stack([torch.cat([angles(d_head, base, position)] * 2) for position in place])[:, None, None]
        turned, _ = apply_multimodal_rotary_pos_emb(x[None, None, None], x[None, None, None], angle.cos(), angle.sin(),
                                                    sections)
        yield "mrope", numbers(d_head, base, *place, x), numbers(turned)


START, IMAGE, VIDEO, TEXT = 1, 2, 3, 4


def places():
    strips = [
        ["text:5"],
        ["text:3", "video:3:2:2:1.0", "text:4"],
        ["text:3", "video:4:1:2:0.5", "text:2", "video:4:3:2:0.6666667", "text:2"],
        ["text:2", "image:4:3", "text:3"],
        ["text:1", "image:2:5", "text:1", "video:6:2:2:2.0", "text:1"],
    ]
    for strip in strips:
        tokens, images, videos, seconds = [], [], [], []
        for segment in strip:
            kind, *sizes = segment.split(":")
            if kind == "text":
                # The last one before a picture or a video says that it begins.
                tokens += [TEXT] * (int(sizes[0]) - 1) + [START]
            elif kind == "image":
                rows, columns = map(int, sizes)
                images.append([1, 2 * rows, 2 * columns])
                tokens += [IMAGE] * (rows * columns)
            else:
                steps, rows, columns = map(int, sizes[:3])
                videos.append([steps, 2 * rows, 2 * columns])
                seconds.append(float(sizes[3]))
                tokens += [VIDEO] * (steps * rows * columns)
        tokens[-1] = TEXT
        grids = [torch.tensor(grid) if grid else None for grid in (images, videos)]
        for rate in [0, 2, 4, 25]:
            config = types.SimpleNamespace(
                image_token_id=IMAGE, video_token_id=VIDEO, vision_start_token_id=START,
                vision_config=types.SimpleNamespace(spatial_merge_size=2, tokens_per_second=rate))
            model, ids = types.SimpleNamespace(config=config), torch.tensor([tokens])
            if rate:
                found, _ = Qwen2_5_VLForConditionalGeneration.get_rope_index(
                    model, ids, *grids, second_per_grid_ts=torch.tensor(seconds) if seconds else None)
            else:
                found, _ = Qwen2VLForConditionalGeneration.get_rope_index(model, ids, *grids)
            yield "places", numbers(rate, *strip), numbers(found[:, 0].T.contiguous())


def grid():
    for side, d_model in [(1, 4), (2, 8), (3, 16)]:
        yield "grid", numbers(side, d_model), numbers(get_2d_sincos_pos_embed(d_model, side, add_cls_token=True))


def resize():
    for (rows, columns), new in [((3, 3), (5, 5)), ((4, 4), (2, 2)), ((2, 3), (7, 4)), ((1, 4), (3, 1))]:
        old = vector(rows, columns)
        both = numbers(rows, columns, *new, old)
        edges = torch.nn.functional.interpolate(old[None, None], size=new, mode="bilinear", align_corners=False)
        yield "resize-edges", both, numbers(edges)
        middles = scipy.ndimage.zoom(old.numpy(), (new[0] / rows, new[1] / columns), order=1)
        yield "resize-middles", both, numbers(middles)


if __name__ == "__main__":
    lines = [line for part in (frequencies, rope, alibi, t5, xl, mrope, places, grid, resize) for line in part()]
    text = "".join("\t".join(map(str, line)) + "\n" for line in lines)
    (Path(__file__).parent / "relatives.tsv").write_text(text)
