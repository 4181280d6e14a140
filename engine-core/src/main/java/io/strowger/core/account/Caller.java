package io.strowger.core.account;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.KeyId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who sent a request: the state of the key it came with. Immutable; holds the key's hash, never the
 * key.
 *
 * @param key identity
 * @param name for people
 * @param management acts on the account and cannot ask for inference; false: the other way round
 * @param limit most the key may spend per period; null: no limit
 * @param reset when the limit starts anew
 */
public record Caller(
    KeyId key, String name, boolean management, @Nullable Usd limit, LimitReset reset) {
  public Caller {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(reset, "reset");
  }
}
