package io.strowger.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.access.ClientNetwork;
import io.strowger.core.access.FailedCredentials;
import io.strowger.core.authentication.Authenticator;
import io.strowger.core.config.IpNetwork;
import io.strowger.core.store.StoreWatch;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.FailedCredentialCounts;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Who guesses keys")
class GuessedKeysTest {
  private static final InetAddress OFFICE = address("203.0.113.7");
  private static final int FREE = 20;
  private static final String HASH = Authenticator.id(new Credential("sk-app")).hex();

  private final Calls calls = new Calls();
  private final AtomicInteger guesses = new AtomicInteger();

  private static InetAddress address(String text) {
    return Objects.requireNonNull(IpNetwork.address(text));
  }

  private FailedCredentialCounts counted() {
    return calls.account.authenticator().failedCredentials();
  }

  private WireResponse ask(String key, @Nullable InetAddress from) {
    return calls.chat(Calls.GOOD).key(key).from(from).send();
  }

  private int guess(@Nullable InetAddress from) {
    return ask("sk-guess-" + guesses.incrementAndGet(), from).status();
  }

  private void useUp(InetAddress from) {
    for (int i = 0; i < FREE; i++) {
      assertThat(guess(from)).isEqualTo(401);
    }
    assertThat(counted().waiting()).as("nobody was held back yet").isZero();
  }

  @Test
  @DisplayName("sixteen at a time is held to about one answer a second")
  void parallel() throws InterruptedException {
    useUp(OFFICE);
    int before = guesses.get();
    var over = new AtomicInteger();
    List<Thread> guessers = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      guessers.add(
          calls.ambient.start(
              "guesser",
              () -> {
                while (over.get() == 0) {
                  guess(OFFICE);
                }
              }));
    }
    int seconds = 40;
    for (int second = 0; second < seconds; second++) {
      awaitHeld(16);
      calls.ambient.advance(Duration.ofSeconds(1));
    }
    awaitHeld(16);
    assertThat(guesses.get() - before)
        .as("guesses in %d seconds, which took microseconds each before", seconds)
        .isBetween(seconds, 2 * seconds + 16);
    assertThat(counted().waiting()).isEqualTo(16);
    over.set(1);
    release(guessers);
    assertThat(counted().waiting()).isZero();
  }

  /** The watch of the store sleeps beside them. */
  private void awaitHeld(int count) {
    calls.ambient.awaitSleepers(count + 1);
  }

  @Test
  @DisplayName("does not slow the good keys of the same address, known to this node or not")
  void honest() throws InterruptedException {
    useUp(OFFICE);
    List<Thread> held = hold(16);
    assertThat(ask("sk-app", OFFICE).status()).as("for the first time").isEqualTo(200);
    assertThat(ask("sk-app", OFFICE).status()).isEqualTo(200);
    assertThat(counted().waiting()).isEqualTo(16);
    release(held);
  }

  /** Guesses of the office that wait for their answers. */
  private List<Thread> hold(int count) {
    List<Thread> held = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      held.add(calls.ambient.start("guesser", () -> guess(OFFICE)));
      awaitHeld(i + 1);
    }
    return held;
  }

  private void release(List<Thread> held) throws InterruptedException {
    calls.ambient.advance(Duration.ofSeconds(60));
    for (Thread thread : held) {
      thread.join();
    }
  }

  @Test
  @DisplayName("far too fast is refused unheard with 429, and known keys still pass")
  void unheard() throws InterruptedException {
    assertThat(ask("sk-app", OFFICE).status()).isEqualTo(200);
    useUp(OFFICE);
    List<Thread> held = hold(61);
    WireResponse refused = ask("sk-guess", OFFICE);
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.headers().get("Retry-After")).isEqualTo("1");
    assertThat(Calls.message(refused)).contains("wrong credentials from this address");
    assertThat(ask("sk-app", OFFICE).status()).isEqualTo(200);
    assertThat(counted()).isEqualTo(new FailedCredentialCounts(FREE + 61, 61, 1, 61, 1));
    release(held);
    calls.ambient.advance(Duration.ofMinutes(1));
    assertThat(guess(OFFICE)).isEqualTo(401);
  }

  /** What takes a key out of what a node keeps ready. */
  enum Change {
    OF_THE_KEY,
    OF_A_WORKSPACE,
    OF_EVERYTHING
  }

  private void make(Change change) {
    switch (change) {
      case OF_THE_KEY -> manage("PATCH", "/keys/" + HASH, "{\"name\":\"renamed\"}");
      case OF_A_WORKSPACE -> manage("POST", "/workspaces", "{\"name\":\"W\",\"slug\":\"w\"}");
      case OF_EVERYTHING -> {
        calls.ambient.advance(StoreWatch.POLL_INTERVAL); // the first look drops everything
        awaitHeld(61);
      }
    }
  }

  private Json.Obj manage(String method, String path, String body) {
    WireResponse response = calls.call(method, path).key("sk-admin").body(body).send();
    assertThat(response.status()).isBetween(200, 201);
    return Calls.json(response);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("does not shut out a key of the same address that is in use, whatever is changed")
  void changed(Change change) throws InterruptedException {
    assertThat(ask("sk-app", OFFICE).status()).isEqualTo(200);
    useUp(OFFICE);
    List<Thread> held = hold(61);
    assertThat(ask("sk-guess", OFFICE).status()).isEqualTo(429);
    make(change);
    assertThat(ask("sk-app", OFFICE).status()).isEqualTo(200);
    release(held);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("does not shut out the former secret of a rotated key during its overlap")
  void rotated(Change change) throws InterruptedException {
    manage("POST", "/keys/" + HASH + "/rotate", "{\"overlap_seconds\":3600}");
    assertThat(ask("sk-app", OFFICE).status()).isEqualTo(200);
    useUp(OFFICE);
    List<Thread> held = hold(61);
    assertThat(ask("sk-guess", OFFICE).status()).isEqualTo(429);
    make(change);
    assertThat(ask("sk-app", OFFICE).status()).isEqualTo(200);
    release(held);
  }

  /** Why a key that was good is not. */
  enum Flaw {
    DISABLED,
    EXPIRED
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("is told from who goes on with a key that is good no more: that harms for a minute")
  void goodNoMore(Flaw flaw) throws InterruptedException {
    String end = calls.ambient.now().plusSeconds(10).toString();
    Json.Obj made = manage("POST", "/keys", "{\"name\":\"old\",\"expires_at\":\"" + end + "\"}");
    String key = Objects.requireNonNull(made.text("key"));
    assertThat(ask(key, OFFICE).status()).isEqualTo(200);
    switch (flaw) {
      case DISABLED ->
          manage(
              "PATCH",
              "/keys/" + Authenticator.id(new Credential(key)).hex(),
              "{\"disabled\":true}");
      case EXPIRED -> calls.ambient.advance(Duration.ofSeconds(10));
    }
    for (int i = 0; i < FREE; i++) {
      assertThat(ask(key, OFFICE).status()).isEqualTo(401);
    }
    List<Thread> held = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      held.add(calls.ambient.start("program", () -> ask(key, OFFICE)));
    }
    awaitHeld(held.size());
    assertThat(ask("sk-app", OFFICE).status()).as("seen for the first time").isEqualTo(429);
    release(held);
    calls.ambient.advance(Duration.ofSeconds(10));
    assertThat(ask("sk-app", OFFICE).status()).as("70 s after the last failure").isEqualTo(200);
  }

  @Test
  @DisplayName("is let off after a while: one failure a second")
  void regained() throws InterruptedException {
    useUp(OFFICE);
    calls.ambient.advance(Duration.ofSeconds(3));
    for (int i = 0; i < 3; i++) {
      assertThat(guess(OFFICE)).isEqualTo(401);
    }
    release(hold(1));
    useUp(OFFICE);
  }

  @Test
  @DisplayName("is told from others by the address, or by 64 bits of it")
  void others() throws InterruptedException {
    useUp(OFFICE);
    useUp(address("203.0.113.8"));
    useUp(address("2001:db8::1"));
    BlockingQueue<Integer> answers = new LinkedBlockingQueue<>();
    Thread same =
        calls.ambient.start("guesser", () -> answers.add(guess(address("2001:db8::ffff:2"))));
    awaitHeld(1);
    release(List.of(same));
    assertThat(answers).containsExactly(401);
    assertThat(counted().networks()).isEqualTo(3);
  }

  @Test
  @DisplayName("is not counted without an address, and neither is who sends no credential")
  void uncounted() {
    for (int i = 0; i < 3 * FREE; i++) {
      assertThat(guess(null)).isEqualTo(401);
      assertThat(calls.call("GET", "/key").from(OFFICE).send().status()).isEqualTo(401);
    }
    assertThat(counted()).isEqualTo(FailedCredentialCounts.ZERO);
  }

  @Test
  @DisplayName("gains sixteen times as much by changing the network within a /48, and no more")
  void wider() throws InterruptedException {
    var failures = new FailedCredentials(calls.ambient);
    var refusal = GatewayError.of(ErrorCode.AUTHENTICATION).toException();
    for (int i = 0; i < 16 * FREE; i++) {
      ClientNetwork of = ClientNetwork.of(address("2001:db8:0:%x::1".formatted(i)));
      failures.recordFailure(of, refusal, new Cancellation());
    }
    ClientNetwork next = ClientNetwork.of(address("2001:db8:0:ffff::1"));
    Thread held =
        calls.ambient.start(
            "guesser", () -> failures.recordFailure(next, refusal, new Cancellation()));
    awaitHeld(1);
    assertThat(failures.snapshot().waiting()).isEqualTo(1);
    failures.recordFailure(
        ClientNetwork.of(address("2001:db8:1::1")), refusal, new Cancellation()); // at once
    release(List.of(held));
  }

  @Test
  @DisplayName("and went away is not held back any longer")
  void gone() throws InterruptedException {
    var failures = new FailedCredentials(calls.ambient);
    var refusal = GatewayError.of(ErrorCode.AUTHENTICATION).toException();
    ClientNetwork office = ClientNetwork.of(OFFICE);
    for (int i = 0; i < FREE; i++) {
      failures.recordFailure(office, refusal, new Cancellation());
    }
    List<Thread> others = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      others.add(
          calls.ambient.start(
              "guesser", () -> failures.recordFailure(office, refusal, new Cancellation())));
      awaitHeld(i + 1);
    }
    var cancellation = new Cancellation();
    Thread held =
        calls.ambient.start("guesser", () -> failures.recordFailure(office, refusal, cancellation));
    awaitHeld(9);
    cancellation.cancel(Cancellation.Cause.CALLER_GONE);
    calls.ambient.advance(Duration.ofSeconds(1)); // of nine
    assertThat(held.join(Duration.ofSeconds(10))).isTrue();
    awaitHeld(7); // one is over, the others were woken and sleep on
    release(others);
  }

  @Test
  @DisplayName("from many addresses takes a bounded amount of memory")
  void bounded() {
    var failures = new FailedCredentials(calls.ambient);
    var refusal = GatewayError.of(ErrorCode.AUTHENTICATION).toException();
    for (long i = 0; i < 60_000; i++) {
      failures.recordFailure(new ClientNetwork(true, i << 16), refusal, new Cancellation());
    }
    assertThat(failures.snapshot().networks()).isLessThanOrEqualTo(50_000);
    assertThat(failures.snapshot().failed()).isEqualTo(60_000);
  }
}
