package dev.fusebox.search.training;

import dev.fusebox.search.model.WordPieceTokenizer;
import dev.fusebox.search.training.BatchSampler.Pair;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/// The training of a word table. A run with the same settings and data gives the same bytes. For one thread, which uses
/// others for products of matrices.
final class TableTraining {
    /// The share of steps in which the learning rate rises.
    private static final float WARM_UP = 0.05f;

    private final TrainingSettings settings;
    private final WordPieceTokenizer tokenizer;
    private final List<Share> shares;
    private final Map<String, int[]> known = new HashMap<>();
    private final Random random;

    /// A data set with its weight: its share of the batches, relative to the weights of all.
    record Share(BatchSampler sampler, double weight) {
        /// One of the data sets, each as often as its weight demands.
        static BatchSampler any(List<Share> shares, Random random) {
            double at = random.nextDouble()
                    * shares.stream().mapToDouble(Share::weight).sum();
            for (Share share : shares) {
                at -= share.weight();
                if (at < 0) {
                    return share.sampler();
                }
            }
            return shares.getLast().sampler();
        }
    }

    TableTraining(TrainingSettings settings, WordPieceTokenizer tokenizer, List<Share> shares) {
        this.settings = settings;
        this.tokenizer = tokenizer;
        this.shares = List.copyOf(shares);
        this.random = new Random(settings.seed());
    }

    /// The trained table; rows of pieces that no text contains are the initial ones.
    float[][] trained(float[][] initial) {
        float[][] table = Arrays.stream(initial).map(float[]::clone).toArray(float[][]::new);
        SparseAdam optimizer = new SparseAdam(table, initial, settings.decay());
        ContrastiveLoss loss = new ContrastiveLoss(table, settings.temperature());
        for (int step = 0; step < settings.steps(); step++) {
            float rate = learningRate(step);
            optimizer.beginStep();
            loss.gradients(batch()).forEach((piece, gradient) -> optimizer.update(piece, gradient, rate));
        }
        return table;
    }

    private float learningRate(int step) {
        float done = (step + 1f) / settings.steps();
        return settings.learningRate() * Math.min(done / WARM_UP, (1 - done) / (1 - WARM_UP));
    }

    private ContrastiveLoss.Batch batch() {
        List<Pair> pairs = Share.any(shares, random).next(settings.batch(), random);
        List<BitSet> isRight =
                pairs.stream().map(pair -> right(pair.answers(), pairs)).toList();
        List<int[]> questions =
                pairs.stream().map(pair -> some(pieces(pair.question()))).toList();
        return new ContrastiveLoss.Batch(
                questions, pairs.stream().map(pair -> pieces(pair.text())).toList(), isRight);
    }

    private static BitSet right(Set<Integer> answers, List<Pair> pairs) {
        BitSet right = new BitSet();
        for (int at = 0; at < pairs.size(); at++) {
            right.set(at, answers.contains(pairs.get(at).tool()));
        }
        return right;
    }

    private int[] pieces(String text) {
        return known.computeIfAbsent(text, tokenizer::distinct);
    }

    /// The pieces without a random part of them, so that a question is found by more than one word.
    private int[] some(int[] pieces) {
        int[] some = Arrays.stream(pieces)
                .filter(piece -> random.nextFloat() >= settings.dropout())
                .toArray();
        return some.length == 0 ? pieces : some;
    }
}
