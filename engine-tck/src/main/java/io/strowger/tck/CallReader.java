package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.UpstreamException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One call that a new thread opens and reads to its end. */
final class CallReader {
  private static final Duration WAKE_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final TestAmbient ambient;
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private volatile @Nullable Thread thread;
  private volatile @Nullable AssertingEventStream stream;
  private volatile @Nullable UpstreamException thrown;
  private volatile @Nullable Throwable unexpected;
  private volatile boolean ended;

  private CallReader(TestAmbient ambient) {
    this.ambient = ambient;
  }

  static CallReader start(TestAmbient ambient, ChatProvider provider, Call call) {
    var reader = new CallReader(ambient);
    reader.thread = ambient.start("reader", () -> reader.read(provider, call));
    return reader;
  }

  private void read(ChatProvider provider, Call call) {
    try (var opened = new AssertingEventStream(call.endpoint().id(), provider.open(call))) {
      stream = opened;
      for (Event event = opened.next(); event != null; event = opened.next()) {
        events.add(event);
      }
    } catch (UpstreamException failure) {
      thrown = failure;
    } catch (Throwable bug) {
      unexpected = bug;
    } finally {
      ended = true;
    }
  }

  /** Waits until the answer has exactly this text so far. */
  void awaitText(String expected) {
    await(TIMEOUT, () -> ended || text().equals(expected));
    assertThat(text()).isEqualTo(expected);
  }

  /** Waits until the reader's thread is blocked, or the reader has ended. */
  void awaitBlocked() {
    boolean isBlocked =
        await(
            WAKE_TIMEOUT,
            () -> {
              Thread reader = thread;
              return ended || reader != null && isWaiting(reader.getState());
            });
    if (!isBlocked) {
      fail("the reader does not wait for events after %s; it has read %s", WAKE_TIMEOUT, events);
    }
  }

  private static boolean isWaiting(Thread.State state) {
    return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
  }

  void closeStream() {
    AssertingEventStream opened = stream;
    assertThat(opened).as("the stream").isNotNull();
    if (opened != null) {
      opened.close();
    }
  }

  /** Waits until the answer was read to its end. */
  void awaitEnd() {
    awaitEnd(TIMEOUT);
  }

  /** Waits until the reader has ended, after something that must wake it. */
  void awaitWoken() {
    awaitEnd(WAKE_TIMEOUT);
  }

  private void awaitEnd(Duration timeout) {
    if (!await(timeout, () -> ended)) {
      fail("the reader has not ended after %s; it has read %s", timeout, events);
    }
    Throwable bug = unexpected;
    if (bug != null) {
      throw new AssertionError("neither an answer nor a failure: " + bug, bug);
    }
  }

  private boolean await(Duration timeout, BooleanSupplier done) {
    long start = ambient.nanoTime();
    while (!done.getAsBoolean()) {
      if (ambient.nanoTime() - start > timeout.toNanos()) {
        return false;
      }
      LockSupport.parkNanos(200_000);
    }
    return true;
  }

  List<Event> events() {
    return events;
  }

  @Nullable UpstreamException thrown() {
    return thrown;
  }

  /** Returns all text of the answer so far, from deltas or from a complete answer. */
  String text() {
    var text = new StringBuilder();
    for (Event event : events) {
      if (event instanceof Event.TextDelta delta) {
        text.append(delta.text().text());
      } else if (event instanceof Event.CompleteAnswer complete) {
        for (Part part : complete.answer().parts()) {
          text.append(part instanceof Part.Text textPart ? textPart.text().text() : "");
        }
      }
    }
    return text.toString();
  }

  /** Returns how the call failed, by exception or by event; null when it did not fail. */
  @Nullable FailureKind failureKind() {
    UpstreamException exception = thrown;
    if (exception != null) {
      return exception.kind();
    }
    return !events.isEmpty() && events.getLast() instanceof Event.Failed failed
        ? failed.kind()
        : null;
  }

  /** Returns the failure of the call; throws an {@link AssertionError} when it did not fail. */
  Failure failure() {
    UpstreamException exception = thrown;
    if (exception != null) {
      return exception.failure();
    }
    if (!events.isEmpty()
        && events.getLast() instanceof Event.Failed failed
        && failed.cause() != null) {
      return failed.cause();
    }
    throw new AssertionError("no failure, but " + events);
  }
}
