package io.strowger.core.http;

import io.strowger.core.dialect.AnswerStream;
import io.strowger.core.wire.WireBody;
import java.io.IOException;
import java.io.OutputStream;

/** A stream of events as the body of a response. */
record StreamBody(AnswerStream stream) implements WireBody {
  @Override
  public boolean writeNext(OutputStream out) throws IOException {
    return stream.writeNext(out);
  }

  @Override
  public boolean ready() {
    return stream.ready();
  }

  @Override
  public long length() {
    return -1;
  }

  @Override
  public void close() {
    stream.close();
  }
}
