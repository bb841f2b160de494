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

/// The search for tools and registry entries by intent, with the search of `mcp_discover`. Thread-safe; a search
/// blocks for at most three seconds, unless searches always wait for the model.
final class ProvisionSearch {
    /// From this score on a match is likely.
    static final double LIKELY = 0.5;

    /// From this score on a match is possible.
    static final double POSSIBLE = 0.3;

    /// The first search is lexical until the model has indexed everything, which is soon.
    private static final Duration MODEL_LIMIT = Duration.ofSeconds(3);

    private static final int MAX = 50;

    private final ToolSearch ofTools;
    private final ToolSearch ofEntries;
    private volatile Known known = new Known(new AvailableTools("", List.of()), Map.of());

    /// A registry in its searchable form.
    private record Known(AvailableTools availableTools, Map<AvailableTools.Tool, List<RegistryEntry>> entries) {}

    /// A matching entry.
    ///
    /// @param confidence from 0 to 1
    record EntryMatch(RegistryEntry entry, double confidence) {}

    ProvisionSearch(ToolSearcher toolSearcher) {
        this.ofTools = toolSearcher.ofTools();
        this.ofEntries = toolSearcher.ofEntries();
    }

    /// Possible tools, best first.
    List<ToolSearch.Match> tools(AvailableTools availableTools, String intent, Deadline deadline)
            throws InterruptedException {
        return found(ofTools, availableTools, intent, deadline).stream()
                .filter(match -> match.score() >= POSSIBLE)
                .toList();
    }

    /// Possible entries, best first.
    List<EntryMatch> entries(Registry.Contents contents, String intent, Deadline deadline) throws InterruptedException {
        Known now = known;
        if (!now.availableTools().edition().equals(contents.edition())) {
            now = read(contents);
            known = now;
        }
        List<EntryMatch> fits = new ArrayList<>();
        for (ToolSearch.Match match : found(ofEntries, now.availableTools(), intent, deadline)) {
            now.entries().getOrDefault(match.tool(), List.of()).stream()
                    .filter(entry -> match.score() >= POSSIBLE)
                    .forEach(entry -> fits.add(new EntryMatch(entry, match.score())));
        }
        return fits;
    }

    private List<ToolSearch.Match> found(
            ToolSearch search, AvailableTools availableTools, String intent, Deadline deadline)
            throws InterruptedException {
        search.awaitMeaning(availableTools, MODEL_LIMIT, deadline);
        ToolSearch.Found found = search.find(availableTools, new ToolSearch.Query(intent, tool -> true, MAX), deadline);
        return found.withEquivalents();
    }

    /// Ends the search of the registry; that of the tools belongs to the gateway.
    void close() {
        ofEntries.close();
    }

    private static Known read(Registry.Contents contents) {
        Map<AvailableTools.Tool, List<RegistryEntry>> entries = new LinkedHashMap<>();
        for (RegistryEntry entry : contents.entries()) {
            entries.computeIfAbsent(tool(entry), first -> new ArrayList<>()).add(entry);
        }
        return new Known(new AvailableTools(contents.edition(), List.copyOf(entries.keySet())), entries);
    }

    /// The last part of a name describes the server, the first its owner.
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
