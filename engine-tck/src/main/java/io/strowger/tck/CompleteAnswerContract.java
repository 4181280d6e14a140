package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.UpstreamException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract test of providers whose answers are not streamed, of any kind.
 *
 * <p>The tests run in real time. A cancellation has ten seconds to end a call, a hundred times the
 * limit of the SPI, since a shared machine may be slow; a call that never ends still fails.
 *
 * @param <S> the type of the provider under test with its test upstream
 */
abstract class CompleteAnswerContract<S extends CompleteAnswerContract.ConnectedProvider> {
  static final String SECRET = "sk-4f9d2c-never-to-be-seen";
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** A provider under test, and a test upstream that it is connected to. */
  public interface ConnectedProvider extends AutoCloseable {
    /**
     * Returns the provider under test; always the same one. The tests close it before they close
     * this setup.
     */
    AutoCloseable provider();

    /** Returns an endpoint of the provider. */
    Endpoint endpoint();

    /**
     * Sets how the upstream behaves on every call from now on. With {@link
     * UpstreamBehaviour.Echoes} it answers the request, with its usage.
     */
    void behave(UpstreamBehaviour behaviour);

    /** Returns the body of the last request, as the upstream received it. */
    String lastBody();

    /**
     * Waits until the upstream has received this many requests; returns false when the time ran out
     * first.
     */
    boolean awaitRequests(long count, Duration timeout) throws InterruptedException;

    /** Closes the test upstream. Called after the provider was closed. */
    @Override
    void close();
  }

  /**
   * Starts a new test upstream and connects a provider to it that uses this ambient for time,
   * random numbers and threads. Called once per test.
   */
  protected abstract S connect(TestAmbient ambient);

  /** Makes a valid call and releases its answer. */
  abstract void call(S setup, Cancellation cancellation) throws UpstreamException;

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 402, 403, 404, 408, 410, 429, 500, 502, 503, 504, 524, 529})
  @DisplayName("a refusal is classified by its status, which is kept, and shows no credential")
  void refusals(int status) {
    try (var fixture = new Fixture()) {
      fixture.setup.behave(new UpstreamBehaviour.Refuses(status, 7, "no " + SECRET));
      Failure failure = fixture.failure();
      assertThat(failure.kind()).isEqualTo(FailureKind.ofStatus(status));
      assertThat(failure.status()).isEqualTo(status);
      assertThat(failure.message()).doesNotContain(SECRET);
    }
  }

  @Test
  @DisplayName("an unreadable answer and a cut connection are failures of the upstream")
  void broken() {
    try (var fixture = new Fixture()) {
      fixture.setup.behave(new UpstreamBehaviour.Garbage());
      assertThat(fixture.failure().kind()).isEqualTo(FailureKind.PROTOCOL);
      fixture.setup.behave(new UpstreamBehaviour.Cuts(""));
      assertThat(fixture.failure().kind()).isIn(FailureKind.UNAVAILABLE, FailureKind.PROTOCOL);
    }
  }

  @ParameterizedTest
  @EnumSource(Cancellation.Cause.class)
  @DisplayName(
      "a cancellation ends a call in progress and a later call, with the failure kind of its cause")
  void cancelled(Cancellation.Cause cause) throws InterruptedException {
    FailureKind kind = cause.isTimeout() ? FailureKind.TIMEOUT : FailureKind.CANCELLED;
    try (var fixture = new Fixture()) {
      fixture.setup.behave(new UpstreamBehaviour.Silent());
      var cancellation = new Cancellation();
      PendingCall waiting = fixture.start(cancellation);
      assertThat(fixture.setup.awaitRequests(1, TIMEOUT)).isTrue();
      cancellation.cancel(cause);
      assertThat(waiting.failure().kind()).isEqualTo(kind);
      assertThat(fixture.start(cancellation).failure().kind()).isEqualTo(kind);
    }
  }

  @Test
  @DisplayName("closing the provider ends a call in progress")
  void closed() throws Exception {
    try (var fixture = new Fixture()) {
      fixture.setup.behave(new UpstreamBehaviour.Silent());
      PendingCall waiting = fixture.start(new Cancellation());
      assertThat(fixture.setup.awaitRequests(1, TIMEOUT)).isTrue();
      fixture.setup.provider().close();
      assertThat(waiting.failure().kind()).isEqualTo(FailureKind.CANCELLED);
    }
  }

  /** Returns the credential of all calls. */
  static Credential credential() {
    return new Credential(SECRET);
  }

  /** A call that must fail. */
  interface FailingCall {
    void run() throws UpstreamException;

    /** Runs the call and returns its failure. */
    default Failure failure() {
      try {
        run();
      } catch (UpstreamException failed) {
        return failed.failure();
      }
      throw new AssertionError("the call did not fail");
    }
  }

  /** A call that runs on a thread of its own. */
  record PendingCall(Thread thread, AtomicReference<@Nullable Failure> failed) {
    static PendingCall start(TestAmbient ambient, FailingCall call) {
      var failed = new AtomicReference<@Nullable Failure>();
      Thread thread =
          ambient.start(
              "call",
              () -> {
                try {
                  call.run();
                } catch (UpstreamException expected) {
                  failed.set(expected.failure());
                }
              });
      return new PendingCall(thread, failed);
    }

    Failure failure() throws InterruptedException {
      assertThat(thread.join(TIMEOUT)).as("the call ended").isTrue();
      return Objects.requireNonNull(failed.get(), "the call did not fail");
    }
  }

  /** The setup and ambient of one test; fails on closing when a thread is left. */
  final class Fixture implements AutoCloseable {
    private final TestAmbient ambient = TestAmbient.realTime();
    final S setup = connect(ambient);

    private Failure failure() {
      FailingCall failing = () -> call(setup, new Cancellation());
      return failing.failure();
    }

    private PendingCall start(Cancellation cancellation) {
      return PendingCall.start(ambient, () -> call(setup, cancellation));
    }

    @Override
    public void close() {
      try {
        setup.provider().close();
      } catch (Exception broken) {
        throw new AssertionError("closing the provider failed", broken);
      }
      setup.close();
      ambient.assertNoThreadsLeft();
    }
  }
}
