package io.strowger.spi.provider;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Signals that an answer is not wanted any more, and why. Code that is about to block registers an
 * action that wakes it, so a cancellation also works before there is a stream or a connection to
 * close. Safe on any thread; the first cause wins. Use one instance per request: closed
 * registrations stay in memory until the cancellation itself is collected.
 */
public final class Cancellation {
  // the head of the list once this is cancelled: no action is added any more
  private static final Node CANCELLED = new Node(() -> {}, null);

  private final AtomicReference<@Nullable Cause> cause = new AtomicReference<>();
  private final AtomicReference<@Nullable Node> actions = new AtomicReference<>();

  /** The reason why a call was cancelled. */
  public enum Cause {
    /** The caller went away. */
    CALLER_GONE,
    /** The reader of the stream closed it. */
    CLOSED,
    /** The upstream did not answer in time. */
    FIRST_CONTENT,
    /** The upstream fell silent between two events. */
    GAP,
    /** The request as a whole took too long. */
    TOTAL,
    /** The gateway is being closed. */
    SHUTDOWN;

    /** Returns whether a deadline passed. */
    public boolean isTimeout() {
      return this == FIRST_CONTENT || this == GAP || this == TOTAL;
    }
  }

  /** A registered action. */
  public interface Registration extends AutoCloseable {
    /** Removes the action: it does not start after this, but may already be running. */
    @Override
    void close();
  }

  /** Holds its action until it is run or removed. */
  private static final class Node extends AtomicReference<@Nullable Runnable>
      implements Registration {
    private static final long serialVersionUID = 1L;

    private transient @Nullable Node next;

    Node(Runnable action, @Nullable Node next) {
      super(action);
      this.next = next;
    }

    void run() {
      Runnable action = getAndSet(null);
      if (action != null) {
        action.run();
      }
    }

    @Override
    public void close() {
      set(null);
    }
  }

  /**
   * Cancels, unless that has happened before. Runs the registered actions on this thread, each
   * once; they must be quick and must not throw.
   *
   * @return false when it was cancelled before; this method then does nothing
   */
  public boolean cancel(Cause reason) {
    if (!cause.compareAndSet(null, Objects.requireNonNull(reason, "reason"))) {
      return false;
    }
    for (Node node = actions.getAndSet(CANCELLED); node != null; node = node.next) {
      node.run();
    }
    return true;
  }

  /** Returns why it was cancelled; null while it is not. */
  public @Nullable Cause cause() {
    return cause.get();
  }

  public boolean isCancelled() {
    return cause.get() != null;
  }

  /** Registers an action that runs when this is cancelled; at once when it already is. */
  public Registration onCancel(Runnable action) {
    var node = new Node(action, null);
    while (true) {
      Node head = actions.get();
      if (head == CANCELLED) {
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
   * Returns a new cancellation that is also cancelled, with the same cause, when this one is. Close
   * the link when the work is done.
   */
  public Child child() {
    var child = new Cancellation();
    Registration link =
        onCancel(
            () -> {
              Cause reason = cause.get();
              child.cancel(reason == null ? Cause.CLOSED : reason);
            });
    return new Child(child, link);
  }

  /**
   * A cancellation that is cancelled together with another one.
   *
   * @param cancellation the dependent cancellation
   * @param link the registration at the other cancellation; closing it ends the dependence
   */
  public record Child(Cancellation cancellation, Registration link) {}
}
