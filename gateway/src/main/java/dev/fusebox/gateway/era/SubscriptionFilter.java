package dev.fusebox.gateway.era;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a client wants to hear on a subscription. Immutable.
///
/// @param lists the kinds of lists whose changes it wants to hear of: `tools`, `prompts`, `resources`
/// @param resources the resources whose changes it wants to hear of
public record SubscriptionFilter(Set<String> lists, Set<String> resources) {
    private static final List<String> KINDS = List.of("tools", "prompts", "resources");
    private static final String CHANGED = "ListChanged";

    /// More than that no client watches; the acknowledgement says which were taken.
    static final int MOST_RESOURCES = 1_000;

    /// Of what was asked for, what a server with these capabilities of the session era can tell.
    ///
    /// @param asked `params.notifications` of the request
    public static SubscriptionFilter of(@Nullable JsonView asked, @Nullable JsonView capabilities) {
        Set<String> lists = new LinkedHashSet<>();
        Set<String> resources = new LinkedHashSet<>();
        if (asked == null || capabilities == null) {
            return new SubscriptionFilter(lists, resources);
        }
        for (String kind : KINDS) {
            if (isTrue(asked.member(kind + CHANGED)) && isTrue(capabilities.path(kind, "listChanged"))) {
                lists.add(kind);
            }
        }
        JsonView uris = asked.member("resourceSubscriptions");
        if (uris != null && isTrue(capabilities.path("resources", "subscribe"))) {
            uris.elements().stream()
                    .filter(JsonView::isString)
                    .map(JsonView::string)
                    .distinct()
                    .limit(MOST_RESOURCES)
                    .forEach(resources::add);
        }
        return new SubscriptionFilter(lists, resources);
    }

    private static boolean isTrue(@Nullable JsonView value) {
        return value != null && value.isTrue();
    }

    /// Whether a notification of the server is meant.
    boolean lets(String method, @Nullable JsonView params) {
        if (method.equals("notifications/resources/updated")) {
            String uri = params == null ? null : params.string("uri");
            return uri != null && resources.contains(uri);
        }
        List<String> parts = List.of(method.split("/", -1));
        return parts.size() == 3 && parts.get(2).equals("list_changed") && lists.contains(parts.get(1));
    }

    /// As it stands in an acknowledgement.
    String json() {
        JsonWriter json = new JsonWriter().beginObject();
        lists.forEach(kind -> json.name(kind + CHANGED).bool(true));
        if (!resources.isEmpty()) {
            json.name("resourceSubscriptions").beginArray();
            resources.forEach(json::string);
            json.endArray();
        }
        return json.endObject().toString();
    }
}
