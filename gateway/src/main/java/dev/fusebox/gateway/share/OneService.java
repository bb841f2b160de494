package dev.fusebox.gateway.share;

import dev.fusebox.gateway.era.GatewayService;
import dev.fusebox.gateway.session.ClientHistory;
import java.util.List;

/// The same service for all clients. Immutable.
public record OneService(GatewayService service) implements SharedServices {
    @Override
    public List<String> variables() {
        return List.of();
    }

    @Override
    public Lease open(ClientPlace place) {
        return new Lease() {
            @Override
            public GatewayService service(ClientHistory history) {
                return service;
            }

            @Override
            public List<String> notes() {
                return List.of();
            }

            @Override
            public void close() {
                // The service stays for the other clients.
            }
        };
    }
}
