package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.dialect.unary.MultipartForm;
import io.strowger.core.dialect.unary.MultipartForm.Field;
import io.strowger.core.dialect.unary.MultipartForm.MalformedFormException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/**
 * Fuzzes the reader of multipart forms with any bytes: first as a content type (the first line) and
 * its body, then as the content of a part of a valid form.
 */
@DisplayName("The reader of multipart forms, given any bytes,")
class MultipartFormFuzz {
  private static final String BOUNDARY = "a:b'c 1";
  private static final int MAX_PARTS = 64;
  private static final int MAX_MESSAGE = 120;

  @FuzzTest
  @DisplayName("returns the parts or reports why they are no form")
  void reads(byte[] input) {
    int line = 0;
    while (line < input.length && input[line] != '\n') {
      line++;
    }
    String contentType = new String(input, 0, line, StandardCharsets.ISO_8859_1);
    byte[] body = Arrays.copyOfRange(input, Math.min(input.length, line + 1), input.length);
    assertLaws(body, contentType);
    assertLaws(body, "multipart/form-data; boundary=b");
    assertContentIsFound(input);
  }

  private static void assertLaws(byte[] body, String contentType) {
    byte[] given = body.clone();
    try {
      List<Field> fields = MultipartForm.fields(body, contentType);
      assertThat(fields).hasSizeLessThanOrEqualTo(MAX_PARTS);
      int end = 0;
      for (Field field : fields) {
        assertThat(field.name()).isNotEmpty();
        assertThat(field.from()).as("after the part before it").isGreaterThan(end);
        assertThat(field.size()).isNotNegative();
        end = field.from() + field.size();
        assertThat(end).isLessThan(body.length);
        assertText(body, field);
      }
      assertThat(MultipartForm.fields(body, contentType)).isEqualTo(fields);
    } catch (MalformedFormException refused) {
      assertMessage(refused);
    }
    assertThat(body).as("the body is not changed").isEqualTo(given);
  }

  private static void assertText(byte[] body, Field field) {
    byte[] content = Arrays.copyOfRange(body, field.from(), field.from() + field.size());
    try {
      assertThat(MultipartForm.text(body, field).getBytes(StandardCharsets.UTF_8))
          .isEqualTo(content);
    } catch (MalformedFormException refused) {
      assertMessage(refused);
      assertThat(new String(content, StandardCharsets.UTF_8)).contains("\ufffd");
    }
  }

  private static void assertMessage(MalformedFormException refused) {
    assertThat(refused.getMessage())
        .startsWith("must ")
        .hasSizeLessThan(MAX_MESSAGE)
        .doesNotContain("Exception");
  }

  /** Asserts that a part with this content is found, unless the content has the boundary. */
  private static void assertContentIsFound(byte[] content) {
    String line = "\r\n" + new String(content, StandardCharsets.ISO_8859_1);
    if (line.contains("\r\n--" + BOUNDARY)) {
      return;
    }
    byte[] other = "other".getBytes(StandardCharsets.UTF_8);
    byte[] form = form(List.of(content, other, content));
    try {
      var found = new ArrayList<byte[]>();
      String type = "multipart/form-data; x=y; boundary=\"" + BOUNDARY + "\"";
      for (Field field : MultipartForm.fields(form, type)) {
        assertThat(field.name()).isEqualTo("n" + found.size());
        assertThat(field.fileName()).isEqualTo("é.mp3");
        assertThat(field.contentType()).isEqualTo("audio/mpeg");
        found.add(Arrays.copyOfRange(form, field.from(), field.from() + field.size()));
      }
      assertThat(found).containsExactly(content, other, content);
    } catch (MalformedFormException refused) {
      throw new AssertionError("a valid form is refused", refused);
    }
  }

  private static byte[] form(List<byte[]> contents) {
    var form = new ByteArrayOutputStream();
    for (int i = 0; i < contents.size(); i++) {
      String head =
          "--%s\r\nContent-Disposition: form-data; name=\"n%d\"; filename=\"é.mp3\"\r\nContent-Type: audio/mpeg\r\n\r\n"
              .formatted(BOUNDARY, i);
      form.writeBytes(head.getBytes(StandardCharsets.UTF_8));
      form.writeBytes(contents.get(i));
      form.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
    }
    form.writeBytes(("--" + BOUNDARY + "--").getBytes(StandardCharsets.UTF_8));
    return form.toByteArray();
  }
}
