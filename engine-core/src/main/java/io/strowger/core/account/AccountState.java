package io.strowger.core.account;

import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.KeyConfig;
import io.strowger.core.store.Shelf;
import io.strowger.core.store.StoreWatch;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.store.Payer;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * What an account consists of, over one store: its keys, and who may call with them. Everything is
 * live: a change is seen by the next request on this node, and within {@link StoreWatch#EVERY} on
 * others. Safe on any thread.
 */
public final class AccountState {
  private final Keys keys;
  private final Workspaces workspaces;
  private final Accounts accounts;
  private final boolean freeTier;

  private AccountState(Keys keys, Workspaces workspaces, Accounts accounts, boolean freeTier) {
    this.keys = keys;
    this.workspaces = workspaces;
    this.accounts = accounts;
    this.freeTier = freeTier;
  }

  /**
   * Opens the account, and makes the configuration's keys that are not there yet.
   *
   * @param random so many bytes nobody can guess
   * @throws io.strowger.spi.store.StoreUnavailableException when the store is down
   */
  public static AccountState open(
      StoreWatch watch, Ambient ambient, IntFunction<byte[]> random, GatewayConfig config) {
    var keys = new Keys(new Shelf(watch, Keys.KIND, ambient), new KeySecrets(random));
    for (KeyConfig given : config.keys()) {
      keys.seed(given);
    }
    Payer account = config.money().account();
    var directory =
        new KeyDirectory(watch, ambient, Set.of(Keys.KIND), key -> caller(key, account));
    return new AccountState(
        keys,
        new Workspaces(new Shelf(watch, Workspaces.KIND, ambient)),
        new Accounts(directory, ambient::now),
        config.money().credits().nanos() == 0);
  }

  private static Caller caller(ApiKey key, Payer account) {
    return new Caller(
            key.id(),
            key.setting().name(),
            key.origin().management(),
            List.of(key.payer(), account))
        .belongingTo(key.origin().workspaceId(), key.origin().creatorUserId());
  }

  /** Who may call. */
  public Accounts accounts() {
    return accounts;
  }

  public Keys keys() {
    return keys;
  }

  public Workspaces workspaces() {
    return workspaces;
  }

  /** The account never had credits. */
  public boolean isFreeTier() {
    return freeTier;
  }
}
