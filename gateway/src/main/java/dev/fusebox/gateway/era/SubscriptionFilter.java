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
public record SubscriptionFilter(Set<String> lists, Set<String> resources) {
    private static final List<String> KINDS = List.of("tools", "prompts", "resources");
    private static final String CHANGED = "ListChanged";

    /// Bound on watched resources; the acknowledgement names the accepted ones.
    static final int MAX_RESOURCES = 1_000;

    /// The part of a requested filter that a legacy server with these capabilities can serve.
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
                    .limit(MAX_RESOURCES)
                    .forEach(resources::add);
        }
        return new SubscriptionFilter(lists, resources);
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
        List<String> parts = List.of(method.split("/", -1));
        return parts.size() == 3 && parts.get(2).equals("list_changed") && lists.contains(parts.get(1));
    }

    /// The filter in the format of an acknowledgement.
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
