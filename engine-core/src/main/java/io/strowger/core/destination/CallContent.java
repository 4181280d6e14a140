package io.strowger.core.destination;

import io.strowger.spi.observe.CallTrace;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The input and output of a call. They are assembled when they are first read, usually on a
 * delivery thread, so that the call itself does not wait for that. Safe on any thread.
 */
public final class CallContent {
  private final long bytes;
  private volatile @Nullable Supplier<CallTrace.Content> assembler; // null once assembled
  private volatile CallTrace.@Nullable Content value;

  private CallContent(
      long bytes,
      @Nullable Supplier<CallTrace.Content> assembler,
      CallTrace.@Nullable Content value) {
    this.bytes = bytes;
    this.assembler = assembler;
    this.value = value;
  }

  /** Returns content that is already assembled. */
  public static CallContent of(CallTrace.Content content) {
    return new CallContent(TracedCall.bytes(content), null, content);
  }

  /**
   * Returns content that is assembled later; until then the supplier keeps the parts it is
   * assembled from.
   *
   * @param bytes the approximate memory of these parts, in bytes
   * @param assembler returns the same content each time; may be called repeatedly, on any thread
   */
  public static CallContent of(long bytes, Supplier<CallTrace.Content> assembler) {
    return new CallContent(bytes, assembler, null);
  }

  /** Returns the approximate bytes of memory it takes while the call waits. */
  long bytes() {
    return bytes;
  }

  CallTrace.Content get() {
    Supplier<CallTrace.Content> current = assembler;
    CallTrace.Content content = value;
    if (content == null && current != null) {
      content = current.get();
      value = content;
      assembler = null; // written last: a thread that sees no assembler sees the content
    }
    if (content == null) {
      throw new IllegalStateException("the content was not assembled and has no assembler");
    }
    return content;
  }
}
