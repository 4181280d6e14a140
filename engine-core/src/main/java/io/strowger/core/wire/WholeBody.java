package io.strowger.core.wire;

import java.io.IOException;
import java.io.OutputStream;

/** A body that consists of one piece, which is available from the start. */
final class WholeBody implements WireBody {
  private final int length;
  private final Content content;
  private boolean isWritten;

  /** Writes the whole content. */
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  WholeBody(int length, Content content) {
    this.length = length;
    this.content = content;
  }

  @Override
  public boolean writeNext(OutputStream out) throws IOException {
    if (isWritten || length == 0) {
      return false;
    }
    isWritten = true;
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
