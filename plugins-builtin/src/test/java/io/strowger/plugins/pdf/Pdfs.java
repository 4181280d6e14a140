package io.strowger.plugins.pdf;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.DeflaterOutputStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.StandardProtectionPolicy;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts.FontName;
import org.jspecify.annotations.Nullable;

/** Makes PDF documents for tests: valid ones with the library, hostile ones byte by byte. */
public final class Pdfs {
  private Pdfs() {}

  /** Returns a document with a page for each text; a line feed begins a new line. */
  public static byte[] pages(String... texts) {
    return saved(List.of(texts), null);
  }

  /** Returns such a document with a password; with an empty one it opens without asking. */
  public static byte[] encrypted(String password, String... texts) {
    return saved(List.of(texts), password);
  }

  private static byte[] saved(List<String> texts, @Nullable String password) {
    try (var document = new PDDocument()) {
      for (String text : texts) {
        var page = new PDPage();
        document.addPage(page);
        try (var content = new PDPageContentStream(document, page)) {
          content.beginText();
          content.setFont(new PDType1Font(FontName.HELVETICA), 12);
          content.setLeading(14);
          content.newLineAtOffset(50, 700);
          for (String line : text.split("\n")) {
            content.showText(line);
            content.newLine();
          }
          content.endText();
        }
      }
      if (password != null) {
        var policy = new StandardProtectionPolicy("owner", password, new AccessPermission());
        policy.setEncryptionKeyLength(128);
        document.protect(policy);
      }
      var out = new ByteArrayOutputStream();
      document.save(out);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the bytes of a stream object with these members in its dictionary. */
  public static byte[] stream(String members, byte[] content) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(ascii("<<" + members + "/Length " + content.length + ">>stream\n"));
    out.writeBytes(content);
    out.writeBytes(ascii("\nendstream"));
    return out.toByteArray();
  }

  /** Returns this many equal bytes, deflated this many times. */
  public static byte[] bomb(int bytes, int times) {
    byte[] content = {};
    for (int i = 0; i < times; i++) {
      var out = new ByteArrayOutputStream();
      try (var deflating = new DeflaterOutputStream(out)) {
        if (i == 0) {
          var block = new byte[1 << 16];
          Arrays.fill(block, (byte) ' ');
          for (int left = bytes; left > 0; left -= block.length) {
            deflating.write(block, 0, Math.min(left, block.length));
          }
        } else {
          deflating.write(content);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      content = out.toByteArray();
    }
    return content;
  }

  /** Returns the font that comes with the library. */
  static byte[] bundledFont() {
    try (var font =
        PDDocument.class.getResourceAsStream(
            "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf")) {
      return Objects.requireNonNull(font, "font").readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a copy of a font with a table replaced; the new table is at the end. */
  static byte[] withTable(byte[] font, String name, byte[] table) {
    int at = (font.length + 3) / 4 * 4;
    byte[] other = Arrays.copyOf(font, at + table.length);
    System.arraycopy(table, 0, other, at, table.length);
    var directory = ByteBuffer.wrap(other);
    for (int i = 0; i < directory.getShort(4); i++) {
      int entry = 12 + 16 * i;
      if (new String(other, entry, 4, StandardCharsets.US_ASCII).equals(name)) {
        directory.putInt(entry + 8, at).putInt(entry + 12, table.length);
      }
    }
    return other;
  }

  /** Returns a document with one page that shows a text in an embedded font. */
  static byte[] withFont(byte[] font, String text) {
    return page(
        "/Font<</F1 5 0 R>>",
        stream("", ascii("BT /F1 12 Tf 50 700 Td (" + text + ") Tj ET")),
        ascii(
            "<</Type/Font/Subtype/TrueType/BaseFont/AAAAAA+X/FontDescriptor 6 0 R"
                + "/Encoding/WinAnsiEncoding>>"),
        ascii("<</Type/FontDescriptor/FontName/AAAAAA+X/Flags 32/FontFile2 7 0 R>>"),
        stream("", font));
  }

  public static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns a file of these objects, numbered from 1; the first is the catalog. */
  public static byte[] file(byte[]... objects) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(ascii("%PDF-1.7\n"));
    var places = new ArrayList<Integer>();
    for (int i = 0; i < objects.length; i++) {
      places.add(out.size());
      out.writeBytes(ascii((i + 1) + " 0 obj\n"));
      out.writeBytes(objects[i]);
      out.writeBytes(ascii("\nendobj\n"));
    }
    int table = out.size();
    out.writeBytes(ascii("xref\n0 " + (objects.length + 1) + "\n0000000000 65535 f \n"));
    places.forEach(place -> out.writeBytes(ascii("%010d 00000 n \n".formatted(place))));
    out.writeBytes(ascii("trailer<</Root 1 0 R/Size " + (objects.length + 1) + ">>\n"));
    out.writeBytes(ascii("startxref\n" + table + "\n%%EOF\n"));
    return out.toByteArray();
  }

  /** Returns a file of one page with these contents; further objects have numbers from 5. */
  public static byte[] page(String resources, byte[] contents, byte[]... further) {
    var objects = new ArrayList<byte[]>();
    objects.add(ascii("<</Type/Catalog/Pages 2 0 R>>"));
    objects.add(ascii("<</Type/Pages/Kids[3 0 R]/Count 1>>"));
    objects.add(
        ascii(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<<"
                + resources
                + ">>>>"));
    objects.add(contents);
    objects.addAll(List.of(further));
    return file(objects.toArray(byte[][]::new));
  }
}
