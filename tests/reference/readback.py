"""What src/figures/readback.rs computes for the chapter on adding, by NumPy on the inputs themselves and with its own random numbers.

    python3 tests/reference/readback.py

A linear decoder (ridge regression of one-hot targets) reads the word and the position from embedding + encoding, or from the two side by side.
It is fitted to three quarters of all combinations of 64 words and 64 positions, drawn at random. Printed for each width: the shares read
correctly and the mean distance of the position read from the right one, their means, least and greatest over six seeds.
"""
import numpy as np

WORDS = POSITIONS = 64
RIDGE = 0.01


def read(embeddings, encodings, held_out):
    """The shares of words and of positions that are read from these vectors, and the mean distance between positions."""
    word, position = np.divmod(np.arange(WORDS * POSITIONS), POSITIONS)
    inputs = np.hstack([embeddings[word] + encodings[position], np.ones((WORDS * POSITIONS, 1))])
    targets = np.zeros((WORDS * POSITIONS, WORDS + POSITIONS))
    targets[np.arange(len(targets)), word] = targets[np.arange(len(targets)), WORDS + position] = 1
    fitted = inputs[~held_out]
    weights = np.linalg.solve(fitted.T @ fitted + RIDGE * np.eye(fitted.shape[1]), fitted.T @ targets[~held_out])
    scores = inputs[held_out] @ weights
    far = np.abs(scores[:, WORDS:].argmax(1) - position[held_out])
    return (scores[:, :WORDS].argmax(1) == word[held_out]).mean(), (far == 0).mean(), far.mean()


def encoding(width):
    angles = np.arange(POSITIONS)[:, None] / 10000 ** (np.arange(0, width, 2) / width)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(POSITIONS, width)


def beside(embeddings, encodings):
    """The same vectors in coordinates of their own, so that adding them puts them side by side."""
    empty = np.zeros_like(embeddings)
    return np.hstack([embeddings, empty]), np.hstack([empty, encodings])


def drawn(seed, width):
    random = np.random.default_rng(seed)
    held_out = np.zeros(WORDS * POSITIONS, bool)
    held_out[random.permutation(len(held_out))[: len(held_out) // 4]] = True
    return random.normal(size=(WORDS, width)), held_out


def main():
    for width in (4, 16, 64, 128, 256, 512, 1024):
        for name in ("added", "added, not multiplied", "side by side"):
            found = []
            for seed in range(6):
                each = width // 2 if name == "side by side" else width
                embeddings, held_out = drawn(seed, each)
                if name == "added, not multiplied":
                    embeddings = embeddings / np.sqrt(width)
                rows = embeddings, encoding(each)
                found.append(read(*(beside(*rows) if name == "side by side" else rows), held_out))
            found = np.array(found)
            print(width, name, *(f"{mean:.3f} ({least:.3f} … {most:.3f})" for mean, least, most in zip(found.mean(0), found.min(0), found.max(0))))


if __name__ == "__main__":
    main()
