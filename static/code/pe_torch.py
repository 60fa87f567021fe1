import math

import torch
from torch import nn


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=5000, dropout=0.1):
        super().__init__()
        self.scale = math.sqrt(d_model)
        self.dropout = nn.Dropout(dropout)
        position = torch.arange(max_len).unsqueeze(1)  # [max_len, 1]
        even = torch.arange(0, d_model, 2)  # [d_model/2], 2i
        div_term = torch.exp(even * (-math.log(10000.0) / d_model))  # [d_model/2]
        pe = torch.zeros(max_len, d_model)  # [max_len, d_model]
        pe[:, 0::2] = torch.sin(position * div_term)  # [max_len, d_model/2]
        pe[:, 1::2] = torch.cos(position * div_term[: d_model // 2])  # [max_len, d_model/2]
        self.register_buffer("pe", pe.unsqueeze(0))  # [1, max_len, d_model]

    def forward(self, x):  # [batch, L, d_model]
        x = x * self.scale
        x = x + self.pe[:, : x.size(1)]
        return self.dropout(x)
