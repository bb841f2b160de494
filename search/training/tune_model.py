"""Tunes the sentence model of the tool search with low-rank adapters; search/training/README.md says how and why.

Usage: tune_model.py MODEL.onnx BATCHES ADAPTERS

MODEL     the 8-bit model; its weights stay as they are
BATCHES   pairs of a question and a tool's text, as the Java program ModelBatches writes them: a pair a line, the
          token ids of the question, a tab, those of the text, a tab, a number that is the same for texts that are
          no wrong answer to each other's question; an empty line ends a batch
ADAPTERS  the file to write

Needs the Debian packages python3-torch and python3-onnx. The same input on the same machine gives the same output.
"""

import math
import struct
import sys

import onnx.numpy_helper
import torch
import torch.nn.functional as functional

WIDTH = 384
HEADS = 12
LAYERS = 6
RANK = 16
MATRICES = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)

LEARNING_RATE = 5e-4
WARM_UP = 40
LEAST_SHARE = 0.05
TEMPERATURE = 0.05
DROPOUT = 0.05

# A tool should find its question among the others, too; that is less important.
BACKWARD = 0.3

SEED = 1


class Model:
    """BERT with frozen weights, and for each matrix an adapter: the product of two narrow matrices is added to it."""

    def __init__(self, path):
        self.tensors = {t.name: t for t in onnx.load(path).graph.initializer}
        self.words = self.table("word") + self.table("token_type")[0]
        self.places = self.table("position")
        self.first_norm = self.norm("embeddings.LayerNorm")
        names = [n for n in self.tensors if n.startswith("onnx::MatMul_") and n.endswith("_quantized")]
        generator = torch.Generator().manual_seed(SEED)
        self.layers = []
        for layer in range(LAYERS):
            prefix = f"encoder.layer.{layer}."
            matrices = {}
            for i, name in enumerate(MATRICES):
                weight = self.dequantized(names[len(MATRICES) * layer + i].removesuffix("_quantized"))
                down = torch.empty(weight.shape[0], RANK).normal_(0, weight.shape[0] ** -0.5, generator=generator)
                up = torch.zeros(RANK, weight.shape[1])
                bias = self.tensor(prefix + name + ".bias")
                matrices[name] = (weight, bias, down.requires_grad_(), up.requires_grad_())
            norms = (self.norm(prefix + "attention.output.LayerNorm"), self.norm(prefix + "output.LayerNorm"))
            self.layers.append((matrices, norms))

    def tensor(self, name):
        return torch.tensor(onnx.numpy_helper.to_array(self.tensors[name]))

    def dequantized(self, name):
        zero = self.tensor(name + "_zero_point").float()
        return (self.tensor(name + "_quantized").float() - zero) * self.tensor(name + "_scale")

    def table(self, kind):
        return self.dequantized(f"embeddings.{kind}_embeddings.weight")

    def norm(self, name):
        return self.tensor(name + ".weight"), self.tensor(name + ".bias")

    def parameters(self):
        return [part for matrices, _ in self.layers for matrix in matrices.values() for part in matrix[2:]]

    def embed(self, texts):
        """The pieces of all texts are one matrix without padding, except for attention."""
        longest = max(len(text) for text in texts)
        rows = torch.tensor([row for row, text in enumerate(texts) for _ in text])
        places = torch.tensor([place for text in texts for place in range(len(text))])
        pieces = torch.tensor([piece for text in texts for piece in text])
        at = rows * longest + places
        is_padding = torch.ones(len(texts) * longest).index_fill(0, at, 0).reshape(len(texts), 1, 1, longest)

        def heads(flat):
            padded = torch.zeros(len(texts) * longest, WIDTH).index_copy(0, at, flat)
            return padded.reshape(len(texts), longest, HEADS, WIDTH // HEADS).transpose(1, 2)

        states = dropped(normed(self.words[pieces] + self.places[places], self.first_norm))
        for matrices, (after_attention, after_output) in self.layers:
            query, key, value = (heads(product(states, matrices[name])) for name in MATRICES[:3])
            logits = query @ key.transpose(-1, -2) / math.sqrt(WIDTH // HEADS) - 1e9 * is_padding
            mixed = (torch.softmax(logits, -1) @ value).transpose(1, 2).reshape(-1, WIDTH)[at]
            states = normed(states + dropped(product(mixed, matrices[MATRICES[3]])), after_attention)
            inner = functional.gelu(product(states, matrices[MATRICES[4]]))
            states = normed(states + dropped(product(inner, matrices[MATRICES[5]])), after_output)
        sums = torch.zeros(len(texts), WIDTH).index_add(0, rows, states)
        return functional.normalize(sums, dim=1)


def normed(states, norm):
    return functional.layer_norm(states, (WIDTH,), *norm, 1e-12)


def dropped(states):
    return functional.dropout(states, DROPOUT)


def product(states, matrix):
    weight, bias, down, up = matrix
    return torch.addmm(bias, states, weight) + states @ down @ up


def batches(path):
    batch = []
    with open(path, encoding="ascii") as lines:
        for line in lines:
            if line.strip():
                question, text, tool = line.rstrip("\n").split("\t")
                batch.append(([int(n) for n in question.split()], [int(n) for n in text.split()], int(tool)))
            else:
                yield batch
                batch = []


def loss_of(model, batch):
    """Each question must find its text among all texts of the batch."""
    questions = model.embed([question for question, _, _ in batch])
    texts = model.embed([text for _, text, _ in batch])
    tools = torch.tensor([tool for _, _, tool in batch])
    is_same = (tools[:, None] == tools[None, :]) & ~torch.eye(len(batch), dtype=torch.bool)
    logits = (questions @ texts.T / TEMPERATURE).masked_fill(is_same, -1e4)
    right = torch.arange(len(batch))
    return functional.cross_entropy(logits, right) + BACKWARD * functional.cross_entropy(logits.T, right)


def learning_rate(step, steps):
    rest = LEAST_SHARE + (1 - LEAST_SHARE) * 0.5 * (1 + math.cos(math.pi * step / steps))
    return LEARNING_RATE * min(1, step / WARM_UP) * rest


def write(model, path):
    """As the Java class Adapters reads it."""
    with open(path, "wb") as file:
        file.write(struct.pack("<4sii", b"FBAD", 1, RANK))
        for part in model.parameters():
            file.write(part.detach().half().numpy().astype("<f2").tobytes())


def main(model_file, batches_file, adapters_file):
    torch.manual_seed(SEED)
    torch.set_num_threads(2)
    model = Model(model_file)
    all_batches = list(batches(batches_file))
    optimizer = torch.optim.AdamW(model.parameters(), weight_decay=0)
    mean = None
    for step, batch in enumerate(all_batches, 1):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, len(all_batches))
        loss = loss_of(model, batch)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1)
        optimizer.step()
        mean = loss.item() if mean is None else 0.97 * mean + 0.03 * loss.item()
        if step % 20 == 0 or step == len(all_batches):
            print(f"step {step} of {len(all_batches)}: loss {mean:.3f}", flush=True)
    write(model, adapters_file)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
