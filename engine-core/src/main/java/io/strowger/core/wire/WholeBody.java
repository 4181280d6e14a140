package io.strowger.core.wire;

import java.io.IOException;
import java.io.OutputStream;

/** A body whose one piece is there before it is asked for. */
final class WholeBody implements WireBody {
  private final int length;
  private final Content content;
  private boolean written;

  /** What writes all of it. */
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  WholeBody(int length, Content content) {
    this.length = length;
    this.content = content;
  }

  @Override
  public boolean writeNext(OutputStream out) throws IOException {
    if (written || length == 0) {
      return false;
    }
    written = true;
    content.writeTo(out);
    return true;
  }

  @Override
  public boolean ready() {
    return true;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void close() {}
}
