package io.strowger.spi.provider;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Says that nobody waits for an answer any more, and why. Works before there is anything to close:
 * whoever blocks registers what wakes it. Safe on any thread; the first cause wins. Lives as long
 * as one request: what is registered and closed again is forgotten with the whole.
 */
public final class Cancellation {
  private static final Node CLOSED = new Node(() -> {}, null);

  private final AtomicReference<@Nullable Cause> cause = new AtomicReference<>();
  private final AtomicReference<@Nullable Node> actions = new AtomicReference<>();

  /** Why a call was ended from outside. */
  public enum Cause {
    /** The caller went away. */
    CALLER_GONE,
    /** Whoever read the stream closed it. */
    CLOSED,
    /** The upstream did not answer in time. */
    FIRST_CONTENT,
    /** The upstream fell silent between two events. */
    GAP,
    /** The request as a whole took too long. */
    TOTAL,
    /** The gateway is being closed. */
    SHUTDOWN;

    /** A deadline passed, as opposed to somebody losing interest. */
    public boolean isTimeout() {
      return this == FIRST_CONTENT || this == GAP || this == TOTAL;
    }
  }

  /** Takes an action back. */
  public interface Registration extends AutoCloseable {
    /** After this the action is not started any more; it may be running. */
    @Override
    void close();
  }

  /** Holds its action until somebody takes it, to run it or to forget it. */
  private static final class Node extends AtomicReference<@Nullable Runnable>
      implements Registration {
    private static final long serialVersionUID = 1L;

    private transient @Nullable Node next;

    Node(Runnable action, @Nullable Node next) {
      super(action);
      this.next = next;
    }

    void run() {
      Runnable taken = getAndSet(null);
      if (taken != null) {
        taken.run();
      }
    }

    @Override
    public void close() {
      set(null);
    }
  }

  /**
   * Ends the call. Runs the registered actions on this thread, each once; they must be quick and
   * must not throw.
   *
   * @return false when it had been cancelled before, and nothing happened
   */
  public boolean cancel(Cause why) {
    if (!cause.compareAndSet(null, Objects.requireNonNull(why, "why"))) {
      return false;
    }
    for (Node node = actions.getAndSet(CLOSED); node != null; node = node.next) {
      node.run();
    }
    return true;
  }

  /** Why it was cancelled; null while it was not. */
  public @Nullable Cause cause() {
    return cause.get();
  }

  public boolean isCancelled() {
    return cause.get() != null;
  }

  /** Runs the action when this is cancelled, at once when it already was. */
  public Registration onCancel(Runnable action) {
    var node = new Node(action, null);
    while (true) {
      Node head = actions.get();
      if (head == CLOSED) {
        node.run();
        return node;
      }
      node.next = head;
      if (actions.compareAndSet(head, node)) {
        return node;
      }
    }
  }

  /**
   * A cancellation of its own that is also cancelled, with the same cause, when this one is. Close
   * the link when done.
   */
  public Child child() {
    var child = new Cancellation();
    Registration link =
        onCancel(
            () -> {
              Cause why = cause.get();
              child.cancel(why == null ? Cause.CLOSED : why);
            });
    return new Child(child, link);
  }

  /**
   * @param cancellation the dependent one
   * @param link closing it ends the dependence
   */
  public record Child(Cancellation cancellation, Registration link) {}
}
