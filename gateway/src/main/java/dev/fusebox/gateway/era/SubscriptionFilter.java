package dev.fusebox.gateway.era;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The filter of a client's subscription. Immutable.
///
/// @param lists the kinds of lists whose changes are wanted: `tools`, `prompts`, `resources`
/// @param resources the URIs of resources whose changes are wanted
/// @param tasks the ids of tasks whose changes are wanted
public record SubscriptionFilter(Set<String> lists, Set<String> resources, Set<String> tasks) {
    /// The member with the watched resources.
    public static final String RESOURCES = "resourceSubscriptions";

    /// The member with the watched tasks.
    public static final String TASK_IDS = "taskIds";

    private static final List<String> KINDS = List.of("tools", "prompts", "resources");
    private static final String CHANGED = "ListChanged";

    /// Bound on watched resources, and on watched tasks; the acknowledgement names the accepted ones.
    static final int MAX_WATCHED = 1_000;

    /// The part of a requested filter that a legacy server with these capabilities can serve.
    ///
    /// @param asked `params.notifications` of the request
    public static SubscriptionFilter of(@Nullable JsonView asked, @Nullable JsonView capabilities) {
        Set<String> lists = new LinkedHashSet<>();
        Set<String> resources = new LinkedHashSet<>();
        if (asked == null || capabilities == null) {
            return new SubscriptionFilter(lists, resources, Set.of());
        }
        for (String kind : KINDS) {
            if (isTrue(asked.member(kind + CHANGED)) && isTrue(capabilities.path(kind, "listChanged"))) {
                lists.add(kind);
            }
        }
        if (isTrue(capabilities.path("resources", "subscribe"))) {
            addAll(asked.member(RESOURCES), resources);
        }
        return new SubscriptionFilter(lists, resources, Set.of());
    }

    /// The same with the tasks of a requested filter.
    ///
    /// @param asked `params.notifications` of the request
    public SubscriptionFilter withTasks(@Nullable JsonView asked) {
        Set<String> all = new LinkedHashSet<>();
        addAll(asked == null ? null : asked.member(TASK_IDS), all);
        return new SubscriptionFilter(lists, resources, all);
    }

    private static void addAll(@Nullable JsonView array, Set<String> all) {
        if (array != null) {
            array.elements().stream()
                    .filter(JsonView::isString)
                    .map(JsonView::string)
                    .distinct()
                    .limit(MAX_WATCHED)
                    .forEach(all::add);
        }
    }

    private static boolean isTrue(@Nullable JsonView value) {
        return value != null && value.isTrue();
    }

    /// Whether the filter accepts a notification.
    boolean lets(String method, @Nullable JsonView params) {
        if (method.equals("notifications/resources/updated")) {
            String uri = params == null ? null : params.string("uri");
            return uri != null && resources.contains(uri);
        }
        if (method.equals("notifications/tasks")) {
            String task = params == null ? null : params.string("taskId");
            return task != null && tasks.contains(task);
        }
        List<String> parts = List.of(method.split("/", -1));
        return parts.size() == 3 && parts.get(2).equals("list_changed") && lists.contains(parts.get(1));
    }

    /// The filter in the format of an acknowledgement.
    String json() {
        JsonWriter json = new JsonWriter().beginObject();
        lists.forEach(kind -> json.name(kind + CHANGED).bool(true));
        write(json, RESOURCES, resources);
        write(json, TASK_IDS, tasks);
        return json.endObject().toString();
    }

    private static void write(JsonWriter json, String name, Set<String> all) {
        if (!all.isEmpty()) {
            json.name(name).beginArray();
            all.forEach(json::string);
            json.endArray();
        }
    }
}
