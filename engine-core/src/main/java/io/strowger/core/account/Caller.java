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
  private final String workspace;
  private final String user;

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
    this.workspace = DefaultWorkspace.ID;
    this.user = DEFAULT_USER;
  }

  private Caller(Caller of, String workspace, String user) {
    this.key = of.key;
    this.name = of.name;
    this.management = of.management;
    this.limit = of.limit;
    this.reset = of.reset;
    this.owner = of.owner;
    this.workspace = Objects.requireNonNull(workspace, "workspace");
    this.user = Objects.requireNonNull(user, "user");
  }

  /**
   * The same key, belonging to somebody.
   *
   * @param inWorkspace id of its workspace, a UUID
   * @param forUser whom it was made for
   */
  public Caller belongingTo(String inWorkspace, String forUser) {
    return new Caller(this, inWorkspace, forUser);
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
    return workspace;
  }

  /** Who the key was made for: the {@code creator_user_id} of what is made with it. */
  public String user() {
    return user;
  }

  @Override
  public String toString() {
    return name + " (" + key + ")";
  }
}
