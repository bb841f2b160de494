package dev.fusebox.search.training;

import dev.fusebox.search.training.QuestionSet.Question;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/// A seeded source of batches of one data set: pairs of a question and a tool, each tool at most once. Half of the
/// tools
/// come with others of their server, which are hard to tell apart. For one thread.
final class BatchSampler {
    private static final int MOST_OF_A_SERVER = 8;

    /// How often a tool's text lacks its server, and how often its parameters.
    private static final double OMITTED = 0.3;

    private final QuestionSet set;
    private final boolean isByName;
    private final Map<Integer, List<Question>> questions = new LinkedHashMap<>();
    private final List<List<Integer>> servers;
    private final List<Integer> tools;

    /// @param text the text of the tool
    /// @param answers all tools that answer the question: none of them is a wrong answer
    record Pair(String question, String text, int tool, Set<Integer> answers) {}

    private BatchSampler(QuestionSet set, boolean isByName) {
        this.set = set;
        this.isByName = isByName;
        for (Question question : isByName ? List.<Question>of() : set.training()) {
            question.answers()
                    .forEach(tool -> questions
                            .computeIfAbsent(tool, it -> new ArrayList<>())
                            .add(question));
        }
        tools = isByName ? set.trainable() : List.copyOf(questions.keySet());
        Map<String, List<Integer>> byServer = new LinkedHashMap<>();
        tools.forEach(tool -> byServer.computeIfAbsent(set.tools().get(tool).server(), it -> new ArrayList<>())
                .add(tool));
        byServer.remove("");
        servers = List.copyOf(byServer.values());
    }

    /// Batches of the questions of a data set.
    static BatchSampler ofQuestions(QuestionSet set) {
        return new BatchSampler(set, false);
    }

    /// Batches whose questions are the names of the tools.
    static BatchSampler ofNames(QuestionSet set) {
        return new BatchSampler(set, true);
    }

    List<Pair> next(int size, Random random) {
        Set<Integer> chosen = new LinkedHashSet<>();
        while (!servers.isEmpty() && chosen.size() < Math.min(size, tools.size()) / 2) {
            List<Integer> server = new ArrayList<>(servers.get(random.nextInt(servers.size())));
            Collections.shuffle(server, random);
            chosen.addAll(server.subList(0, Math.min(MOST_OF_A_SERVER, server.size())));
        }
        while (chosen.size() < Math.min(size, tools.size())) {
            chosen.add(tools.get(random.nextInt(tools.size())));
        }
        return chosen.stream().limit(size).map(tool -> pair(tool, random)).toList();
    }

    private Pair pair(int tool, Random random) {
        ToolExample example = set.tools().get(tool);
        if (isByName) {
            String name = random.nextBoolean() ? example.name() : example.name() + " " + example.server();
            return new Pair(name, example.purpose(), tool, Set.of(tool));
        }
        List<Question> all = questions.getOrDefault(tool, List.of());
        Question question = all.get(random.nextInt(all.size()));
        boolean withServer = !example.server().isEmpty() && random.nextDouble() >= OMITTED;
        String text = example.text(withServer, random.nextDouble() >= OMITTED);
        return new Pair(question.text(), text, tool, question.answers());
    }
}
