import numpy as np


class PositionalEncoding:
    def __init__(self, d_model, max_len=5000, dropout=0.1):
        self.scale = np.sqrt(d_model)
        self.dropout = dropout
        position = np.arange(max_len)[:, np.newaxis]  # [max_len, 1]
        even = np.arange(0, d_model, 2)  # [d_model/2], 2i
        div_term = np.exp(even * (-np.log(10000.0) / d_model))  # [d_model/2]
        pe = np.zeros((max_len, d_model))  # [max_len, d_model]
        pe[:, 0::2] = np.sin(position * div_term)  # [max_len, d_model/2]
        pe[:, 1::2] = np.cos(position * div_term[: d_model // 2])  # [max_len, d_model/2]
        self.pe = pe[np.newaxis]  # [1, max_len, d_model]

    def __call__(self, x, random=None):  # [batch, L, d_model]
        x = x * self.scale
        x = x + self.pe[:, : x.shape[1]]
        if random is None:  # a np.random.Generator while training
            return x
        keep = random.random(x.shape) >= self.dropout
        return x * keep / (1 - self.dropout)
