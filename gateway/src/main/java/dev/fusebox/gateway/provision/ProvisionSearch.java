package dev.fusebox.gateway.provision;

import dev.fusebox.client.Deadline;
import dev.fusebox.gateway.tools.AvailableTools;
import dev.fusebox.gateway.tools.ToolSearch;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Finds tools, and entries of a registry, by what somebody wants to do: both by the search that `mcp_discover`
/// uses. Thread-safe; finding blocks for three seconds at most, unless searches always wait for the model.
final class ProvisionSearch {
    /// From here on something is likely to be what is wanted.
    static final double LIKELY = 0.5;

    /// From here on it may be.
    static final double POSSIBLE = 0.3;

    /// Of finds with this score as many are right as wrong, if every other wish is for something that is not there
    /// (docs/search.md).
    private static final double AS_LIKELY_AS_NOT = 0.4;

    /// The first search of all looks at words only until the model has read everything, which is soon.
    private static final Duration FOR_MEANING = Duration.ofSeconds(3);

    private static final int MOST = 50;

    private final ToolSearch ofTools;
    private final ToolSearch ofEntries;
    private volatile Known known = new Known(new AvailableTools("", List.of()), Map.of());

    /// A registry as the search reads it.
    private record Known(AvailableTools availableTools, Map<AvailableTools.Tool, List<RegistryEntry>> entries) {}

    /// An entry that fits.
    ///
    /// @param confidence from 0 to 1
    record Fit(RegistryEntry entry, double confidence) {}

    ProvisionSearch(ToolSearcher toolSearcher) {
        this.ofTools = toolSearcher.ofTools();
        this.ofEntries = toolSearcher.ofEntries();
    }

    /// Tools that may do it, best first.
    List<ToolSearch.Match> tools(AvailableTools availableTools, String wish, Deadline deadline)
            throws InterruptedException {
        return found(ofTools, availableTools, wish, deadline).stream()
                .filter(match -> match.score() >= POSSIBLE)
                .toList();
    }

    /// Entries that may do it, best first.
    List<Fit> entries(Registry.Contents contents, String wish, Deadline deadline) throws InterruptedException {
        Known now = known;
        if (!now.availableTools().edition().equals(contents.edition())) {
            now = read(contents);
            known = now;
        }
        List<Fit> fits = new ArrayList<>();
        for (ToolSearch.Match match : found(ofEntries, now.availableTools(), wish, deadline)) {
            now.entries().getOrDefault(match.tool(), List.of()).stream()
                    .filter(entry -> match.score() >= POSSIBLE)
                    .forEach(entry -> fits.add(new Fit(entry, match.score())));
        }
        return fits;
    }

    private List<ToolSearch.Match> found(
            ToolSearch search, AvailableTools availableTools, String wish, Deadline deadline)
            throws InterruptedException {
        search.awaitMeaning(availableTools, FOR_MEANING, deadline);
        ToolSearch.Found found = search.find(availableTools, new ToolSearch.Query(wish, tool -> true, MOST), deadline);
        boolean byMeaning = found.byMeaning();
        return found.matches().stream()
                .map(match -> new ToolSearch.Match(
                        match.tool(), byMeaning ? byMeaning(match.score()) : byWords(match.score())))
                .toList();
    }

    /// Scores of the search say who is before whom. What is meant has seldom more than half: wishes are not in the
    /// words of tools.
    static double byMeaning(double score) {
        return score < AS_LIKELY_AS_NOT
                ? score * LIKELY / AS_LIKELY_AS_NOT
                : LIKELY + (score - AS_LIKELY_AS_NOT) * (1 - LIKELY) / (1 - AS_LIKELY_AS_NOT);
    }

    /// By words alone, a text that has all of them once gets just under half.
    private static double byWords(double score) {
        return Math.min(1, 2 * score);
    }

    private static Known read(Registry.Contents contents) {
        Map<AvailableTools.Tool, List<RegistryEntry>> entries = new LinkedHashMap<>();
        for (RegistryEntry entry : contents.entries()) {
            entries.computeIfAbsent(tool(entry), first -> new ArrayList<>()).add(entry);
        }
        return new Known(new AvailableTools(contents.edition(), List.copyOf(entries.keySet())), entries);
    }

    /// What comes last in a name says what it is; what comes first says whose.
    private static AvailableTools.Tool tool(RegistryEntry entry) {
        int slash = entry.name().lastIndexOf('/');
        JsonWriter definition = new JsonWriter().beginObject();
        definition.name("title").string(entry.title());
        definition.name("description").string(entry.description());
        String json = definition.endObject().toString();
        return new AvailableTools.Tool(
                slash < 0 ? "" : entry.name().substring(0, slash),
                entry.name().substring(slash + 1),
                JsonView.of(json),
                true);
    }
}
