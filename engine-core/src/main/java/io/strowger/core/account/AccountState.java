package io.strowger.core.account;

import io.strowger.core.config.ByokKeys;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.KeyConfig;
import io.strowger.core.secret.SecretKey;
import io.strowger.core.secret.SecretKeySource;
import io.strowger.core.secret.Vault;
import io.strowger.core.store.Shelf;
import io.strowger.core.store.StoreWatch;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Payer;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * What an account consists of, over one store: its keys and who may call with them, and the
 * customer's own keys of providers. Everything is live: a change is seen by the next request on
 * this node, and within {@link StoreWatch#EVERY} on others. Safe on any thread.
 */
public final class AccountState {
  private final Keys keys;
  private final Workspaces workspaces;
  private final OwnKeys ownKeys;
  private final OwnKeyRing ring;
  private final Accounts accounts;
  private final Payer account;

  /**
   * What secrets are made and kept with.
   *
   * @param random so many bytes nobody can guess
   * @param key encrypts what is kept, where the configuration has no key for it
   */
  public record Secrets(IntFunction<byte[]> random, SecretKeySource key) {}

  private AccountState(StoreWatch watch, Ambient ambient, Secrets secrets, GatewayConfig config) {
    keys = new Keys(new Shelf(watch, Keys.KIND, ambient), new KeySecrets(secrets.random()));
    workspaces = new Workspaces(new Shelf(watch, Workspaces.KIND, ambient));
    SecretKey given = config.store().secretKey();
    var vault = new Vault(given == null ? secrets.key() : () -> given, secrets.random());
    var shelf = new Shelf(watch, OwnKeys.KIND, ambient);
    ownKeys = new OwnKeys(shelf, vault, ambient);
    ring = new OwnKeyRing(shelf, vault);
    account = config.money().account();
    accounts =
        new Accounts(
            new KeyDirectory(watch, ambient, Set.of(Keys.KIND), this::caller), ambient::now);
  }

  /**
   * Opens the account, and makes the configuration's keys that are not there yet.
   *
   * @throws io.strowger.spi.store.StoreUnavailableException when the store is down
   */
  public static AccountState open(
      StoreWatch watch, Ambient ambient, Secrets secrets, GatewayConfig config) {
    var state = new AccountState(watch, ambient, secrets, config);
    for (KeyConfig given : config.keys()) {
      state.keys.seed(given);
    }
    watch.keep(state.ring);
    watch.start();
    state.ring.dropAll();
    return state;
  }

  private Caller caller(ApiKey key) {
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

  /** The customer's own keys of providers, as they are kept. */
  public OwnKeys ownKeys() {
    return ownKeys;
  }

  /** The customer's own keys of providers that are in force. */
  public ByokKeys ownKeysInForce() {
    return ring;
  }

  /** Whom all keys spend from. */
  public Payer payer() {
    return account;
  }

  /** What the account may spend in all. */
  public Usd credits() {
    return account.budgets().getFirst().limit();
  }

  /** The account never had credits. */
  public boolean isFreeTier() {
    return credits().nanos() == 0;
  }
}
