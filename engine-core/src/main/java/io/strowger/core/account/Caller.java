package io.strowger.core.account;

import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.KeyId;
import io.strowger.spi.store.Period;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who sent a request: the state of the key it came with. Immutable; holds the key's hash, never the
 * key.
 */
public final class Caller {
  /** Whom a key was made for where nobody is named: the account's owner. */
  public static final String DEFAULT_USER = "user_default";

  private final KeyId key;
  private final String name;
  private final boolean management;
  private final @Nullable Usd limit;
  private final Period reset;
  private final String owner;

  /**
   * @param key identity
   * @param name for people
   * @param management acts on the account and cannot ask for inference; false: the other way round
   * @param limit most the key may spend per period; null: no limit
   * @param reset when the limit starts anew
   */
  public Caller(KeyId key, String name, boolean management, @Nullable Usd limit, Period reset) {
    this.key = Objects.requireNonNull(key, "key");
    this.name = Objects.requireNonNull(name, "name");
    this.management = management;
    this.limit = limit;
    this.reset = Objects.requireNonNull(reset, "reset");
    this.owner = "key:" + key.hex();
  }

  public KeyId key() {
    return key;
  }

  public String name() {
    return name;
  }

  public boolean management() {
    return management;
  }

  public @Nullable Usd limit() {
    return limit;
  }

  public Period reset() {
    return reset;
  }

  /** What the key's money is counted under: {@code key:} and its hash. */
  public String owner() {
    return owner;
  }

  /** Id of the workspace the key belongs to, a UUID. */
  public String workspace() {
    return DefaultWorkspace.ID;
  }

  /** Who the key was made for: the {@code creator_user_id} of what is made with it. */
  public String user() {
    return DEFAULT_USER;
  }

  @Override
  public String toString() {
    return name + " (" + key + ")";
  }
}
