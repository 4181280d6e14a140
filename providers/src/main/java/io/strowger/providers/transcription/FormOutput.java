package io.strowger.providers.transcription;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.UploadedFile;
import java.nio.charset.StandardCharsets;

/** Writes a {@code multipart/form-data} body. Files are referenced, not copied. */
final class FormOutput {
  private final JsonOutput out = JsonOutput.withByteReferences(1 << 10);
  private final String boundary;

  FormOutput(Ambient ambient) {
    boundary = "form-" + Long.toHexString(ambient.seed()) + Long.toHexString(ambient.seed());
  }

  String contentType() {
    return "multipart/form-data; boundary=" + boundary;
  }

  /** Adds a JSON value; each item of a list becomes a part of its own. */
  void addMember(String name, Json value) {
    switch (value) {
      case Json.Arr items -> items.forEach(item -> addText(name + "[]", toText(item)));
      case Json.Null none -> {} // as if it were absent
      default -> addText(name, toText(value));
    }
  }

  private static String toText(Json value) {
    return value instanceof Json.Str text ? text.text() : value.toString();
  }

  private void addText(String name, String text) {
    beginPart("name=\"" + escape(name) + "\"");
    out.ascii("\r\n\r\n");
    out.bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Adds a file under a generic name; the caller's file name is not sent. */
  void addFile(String name, UploadedFile file) {
    beginPart("name=\"" + name + "\"; filename=\"audio." + file.format() + "\"");
    out.ascii("\r\nContent-Type: application/octet-stream\r\n\r\n");
    file.writeTo(out);
  }

  private void beginPart(String parameters) {
    out.ascii(out.length() == 0 ? "--" : "\r\n--");
    out.ascii(boundary);
    out.ascii("\r\nContent-Disposition: form-data; ");
    out.bytes(parameters.getBytes(StandardCharsets.UTF_8));
  }

  /** Escapes characters that would end the name or the line. */
  private static String escape(String name) {
    return name.replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
  }

  /** Writes the end of the form and returns the whole form. */
  JsonOutput end() {
    out.ascii("\r\n--" + boundary + "--\r\n");
    return out;
  }
}
