package io.strowger.core.administration;

import io.strowger.core.access.FailedCredentials;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.authentication.Accounts;
import io.strowger.core.authentication.Caller;
import io.strowger.core.config.AccountMember;
import io.strowger.core.config.ByokKeys;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.KeyConfig;
import io.strowger.core.config.SecretKey;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.ledger.Budget;
import io.strowger.core.ledger.Payer;
import io.strowger.core.secret.SecretCipher;
import io.strowger.core.store.DocumentRepository;
import io.strowger.core.store.StoreWatch;
import io.strowger.core.store.WorkspaceGuard;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.store.DocumentStore.Write;
import io.strowger.spi.store.KeyId;
import io.strowger.spi.store.Period;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an account consists of, over one store: its keys and who may call with them, and the
 * customer's own keys of providers. Everything is live: a change is seen by the next request on
 * this node, and within {@link StoreWatch#EVERY} on others. Safe on any thread.
 */
public final class AccountState {
  private static final List<AccountMember> OWNER =
      List.of(new AccountMember(Caller.DEFAULT_USER, AccountMember.Role.ADMIN, null, null, null));

  private static final Logger log = LoggerFactory.getLogger(AccountState.class);

  /** Somebody else is faster this often only where something is wrong. */
  private static final int TRIES = 1_000;

  private final StoreWatch watch;
  private final Keys keys;
  private final Workspaces workspaces;
  private final Guardrails guardrails;
  private final GuardrailAssignments ofKeys;
  private final GuardrailAssignments ofMembers;
  private final Callers callers;
  private final KeyDirectory directory;
  private final StoredByokKeys storedByokKeys;
  private final ByokKeyRing ring;
  private final Accounts accounts;
  private final SecretCipher cipher;
  private final Payer account;
  private volatile List<AccountMember> members;

  /**
   * What secrets are made and kept with.
   *
   * @param random so many bytes nobody can guess
   * @param key encrypts what is kept, where the configuration has no key for it
   */
  public record Secrets(IntFunction<byte[]> random, SecretKeySource key) {}

  private AccountState(StoreWatch watch, Ambient ambient, Secrets secrets, GatewayConfig config) {
    this.watch = watch;
    keys = new Keys(watch, ambient, new KeySecrets(secrets.random()));
    watch.keep(keys.aliases()); // before what is made of keys
    workspaces = new Workspaces(watch, ambient);
    guardrails = new Guardrails(watch, ambient);
    ofKeys = new GuardrailAssignments(watch, ambient, keys);
    ofMembers = new GuardrailAssignments(watch, ambient, null);
    SecretKey given = config.store().secretKey();
    cipher = new SecretCipher(given == null ? secrets.key() : () -> given, secrets.random());
    var repository = new DocumentRepository(watch, StoredByokKeys.KIND, ambient);
    storedByokKeys =
        new StoredByokKeys(repository, new WorkspaceGuard(watch, ambient), cipher, ambient);
    ring = new ByokKeyRing(repository, cipher);
    account = Payer.account(List.of(new Budget(Period.LIFETIME, config.money().credits(), false)));
    members = config.account().members();
    callers = new Callers(watch, account, config.account().guardrails());
    directory = new KeyDirectory(watch, ambient, keys.aliases(), Callers.KINDS, callers::of);
    accounts = new Accounts(directory, ambient::now, new FailedCredentials(ambient));
  }

  /**
   * Opens the account, and brings the configuration's keys into it: makes those that are not there
   * yet, and disables those the file made once and lists no more.
   *
   * @throws io.strowger.spi.store.StoreUnavailableException when the store is down
   */
  public static AccountState open(
      StoreWatch watch, Ambient ambient, Secrets secrets, GatewayConfig config) {
    var state = new AccountState(watch, ambient, secrets, config);
    state.workspaces.seed();
    state
        .follow(config.keys(), AuditActor.CONFIGURATION, List.of())
        .forEach(sentence -> log.warn("{}", sentence));
    watch.keep(state.ring);
    watch.start();
    state.ring.dropAll();
    return state;
  }

  /**
   * Writes what a configuration that comes into force changes in the store, and who brought it, all
   * or nothing.
   *
   * @param entry of the audit log
   * @return one sentence for each key of the file that stays as it is
   * @throws io.strowger.spi.store.StoreUnavailableException when the store is down; then nothing is
   *     written
   */
  public List<String> record(GatewayConfig config, AuditActor by, Write entry) {
    return follow(config.keys(), by, List.of(entry));
  }

  /**
   * @param beside written together with the changes
   */
  private List<String> follow(List<KeyConfig> file, AuditActor by, List<Write> beside) {
    for (int i = 0; i < TRIES; i++) {
      Keys.FileKeys due = keys.syncWithFile(file, by);
      var writes = new ArrayList<>(due.writes());
      writes.addAll(beside);
      if (writes.isEmpty() || watch.write(writes)) {
        return due.ignored();
      }
    }
    throw GatewayError.of(ErrorCode.CONFLICT).toException();
  }

  /** Another configuration is in force: its guardrails bind every caller from now on. */
  public void reload(GatewayConfig config) {
    callers.setDefaultGuardrails(config.account().guardrails());
    directory.dropAll();
    members = config.account().members();
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

  public Guardrails guardrails() {
    return guardrails;
  }

  /** Which keys guardrails bind. */
  public GuardrailAssignments assignmentsOfKeys() {
    return ofKeys;
  }

  /** Which users guardrails bind. */
  public GuardrailAssignments assignmentsOfMembers() {
    return ofMembers;
  }

  /**
   * Returns whom a key stands for, for work that goes on after its request was answered.
   *
   * @param key what stands for it, {@link Caller#key()}
   * @param at the time
   * @return null when the key or its workspace is gone, or the key is disabled or has expired
   * @throws io.strowger.spi.store.StoreUnavailableException when the store is down and has to be
   *     asked
   */
  public @Nullable Caller currentCaller(KeyId key, Instant at) {
    Caller caller = directory.currentCaller(key, at);
    return caller == null || workspaces.find(caller.workspace()) == null ? null : caller;
  }

  /** The customer's own keys of providers, as they are kept. */
  public StoredByokKeys byokKeys() {
    return storedByokKeys;
  }

  /** The customer's own keys of providers that are in force. */
  public ByokKeys byokKeysInForce() {
    return ring;
  }

  /** Who belongs to the account: its owner, where the configuration names nobody. */
  public List<AccountMember> members() {
    List<AccountMember> named = members;
    return named.isEmpty() ? OWNER : named;
  }

  /** Encrypts what is kept secret. */
  public SecretCipher cipher() {
    return cipher;
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
