package io.strowger.core.http;

import io.strowger.core.administration.AccountState;
import io.strowger.core.authentication.Caller;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Period;
import java.time.Instant;

/**
 * {@code GET /credits}: what the account may spend in all, and what of it was. Safe on any thread.
 */
record CreditsService(ResourceServices resources) {
  WireResponse get(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    AccountState account = resources.account();
    Instant now = resources.ambient().now();
    Usd used =
        resources.ledger().balance(account.payer(), Period.LIFETIME, now).settled().credits();
    return responseFactory.found(
        Json.object()
            .put("total_credits", KeyJson.dollars(account.credits()))
            .put("total_usage", KeyJson.dollars(used))
            .build());
  }
}
