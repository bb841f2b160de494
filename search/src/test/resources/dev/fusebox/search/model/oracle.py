# Makes oracle.tsv: what onnxruntime and the tokenizer of Hugging Face make of texts with the same model.
#   pip install onnxruntime tokenizers numpy
#   python oracle.py FOLDER > oracle.tsv
# FOLDER holds the two files of the model, as the build leaves them in target/classes/dev/fusebox/search/model.
import sys

import numpy
import onnxruntime
from tokenizers import Tokenizer

TEXTS = [
    "how do I send an e-mail to somebody",
    "search_issues: Search for issues across repositories. Supports labels, authors and dates.",
    "read-file2 HTTPServer",
    "What is the weather like in São Paulo (Brazil) at 25 °C?",
    "Get the current stock price based on stock symbol.",
    "使用必应搜索指定的关键词，并返回搜索结果列表",
    "delete the row, don't drop the table; 100% sure!",
    "list_tools",
]

folder = sys.argv[1] + "/all-minilm-l6-v2-q"
session = onnxruntime.InferenceSession(folder + ".onnx")
tokenizer = Tokenizer.from_file(folder + "-tokenizer.json")
tokenizer.enable_truncation(128)
tokenizer.no_padding()
for text in TEXTS + [" ".join(TEXTS) * 3]:
    ids = numpy.array([tokenizer.encode(text).ids], dtype=numpy.int64)
    inputs = {"input_ids": ids, "attention_mask": numpy.ones_like(ids), "token_type_ids": numpy.zeros_like(ids)}
    vector = session.run(None, inputs)[0][0].mean(0)
    vector /= numpy.linalg.norm(vector)
    print(text + "\t" + " ".join("%.4f" % value for value in vector))
