package io.strowger.core.flow;

import io.strowger.core.config.ByokKey;
import io.strowger.spi.routing.AccountRules;
import io.strowger.spi.routing.CustomerKey;
import io.strowger.spi.store.KeyId;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * On which terms the account's requests are served.
 *
 * @param rules what the account allows
 * @param byokKeys the customer's own credentials
 * @param defaultModel used when a request names none; null: it must
 * @param defaultOutputTokens reserved for when a request has no limit
 */
public record Terms(
    AccountRules rules,
    List<ByokKey> byokKeys,
    @Nullable String defaultModel,
    int defaultOutputTokens) {
  public Terms {
    Objects.requireNonNull(rules, "rules");
    byokKeys = List.copyOf(byokKeys);
  }

  /**
   * The customer's own keys this caller may use, without their secrets.
   *
   * @param caller null when nobody in particular asks
   */
  List<CustomerKey> keysFor(@Nullable KeyId caller) {
    return byokKeys.isEmpty()
        ? List.of()
        : byokKeys.stream().filter(key -> key.admits(caller)).map(ByokKey::forRouting).toList();
  }
}
