package io.strowger.providers.http;

import io.strowger.spi.json.JsonOutput;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;

/** A body that is written already, sent without another copy of it. */
final class WrittenEntity extends AbstractHttpEntity {
  /** Without a charset, which JSON does not have. */
  private static final ContentType JSON = ContentType.create("application/json");

  private final JsonOutput body;

  WrittenEntity(JsonOutput body) {
    super(JSON, null);
    this.body = body;
  }

  @Override
  public boolean isRepeatable() {
    return true;
  }

  @Override
  public boolean isStreaming() {
    return false;
  }

  @Override
  public long getContentLength() {
    return body.length();
  }

  @Override
  public InputStream getContent() {
    return new ByteArrayInputStream(body.toByteArray());
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    body.writeTo(out);
  }

  @Override
  public void close() {}
}
