package io.strowger.plugins.pdf;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSDocument;
import org.apache.pdfbox.cos.COSInputStream;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSStream;
import org.apache.pdfbox.cos.ICOSParser;
import org.apache.pdfbox.filter.DecodeOptions;
import org.apache.pdfbox.filter.FilterFactory;
import org.apache.pdfbox.io.MemoryUsageSetting;
import org.apache.pdfbox.io.RandomAccessRead;
import org.apache.pdfbox.io.RandomAccessReadBuffer;
import org.apache.pdfbox.io.RandomAccessReadView;
import org.apache.pdfbox.io.RandomAccessStreamCache;
import org.apache.pdfbox.io.RandomAccessStreamCache.StreamCacheCreateFunction;
import org.apache.pdfbox.io.ScratchFile;
import org.apache.pdfbox.pdfparser.PDFParser;

/**
 * The library's parser for an untrusted document: each byte it reads and each byte that a stream
 * expands to is charged to a {@link ReadingBudget}.
 */
final class BoundedParser extends PDFParser {
  private static final long SCRATCH_BYTES = 64L << 20;

  /** Thrown when a document is encrypted for a key instead of a password. */
  static final class PrivateKeyRequiredException extends IOException {
    private static final long serialVersionUID = 1L;

    PrivateKeyRequiredException() {
      super("it is encrypted for a key of its reader");
    }
  }

  BoundedParser(byte[] pdf, ReadingBudget budget) throws IOException {
    this(pdf, budget, () -> new ScratchFile(MemoryUsageSetting.setupMainMemoryOnly(SCRATCH_BYTES)));
  }

  private BoundedParser(byte[] pdf, ReadingBudget budget, StreamCacheCreateFunction scratch)
      throws IOException {
    super(new CountedRead(pdf, budget, true), "", null, null, scratch);
    document.close();
    document = new BoundedDocument(scratch, this, budget);
  }

  /** Rejects encryption other than by password, since it needs a key of the reader. */
  @Override
  protected void prepareDecryption() throws IOException {
    COSDictionary trailer = document.getTrailer();
    if (trailer != null
        && trailer.getDictionaryObject(COSName.ENCRYPT) instanceof COSDictionary encryption
        && !"Standard".equals(encryption.getNameAsString(COSName.FILTER))) {
      throw new PrivateKeyRequiredException();
    }
    super.prepareDecryption();
  }

  /** A document whose streams expand within the budget. */
  private static final class BoundedDocument extends COSDocument {
    private final RandomAccessStreamCache scratch;
    private final ICOSParser parser;
    private final ReadingBudget budget;

    BoundedDocument(StreamCacheCreateFunction scratch, ICOSParser parser, ReadingBudget budget)
        throws IOException {
      super(scratch, parser);
      this.scratch = scratch.create();
      this.parser = parser;
      this.budget = budget;
    }

    @Override
    public COSStream createCOSStream(COSDictionary dictionary, long start, long length)
        throws IOException {
      var stream =
          new BoundedStream(scratch, parser.createRandomAccessReadView(start, length), budget);
      dictionary.forEach(stream::setItem);
      stream.setKey(dictionary.getKey());
      return stream;
    }

    @Override
    public void close() throws IOException {
      try {
        super.close();
      } finally {
        scratch.close();
      }
    }
  }

  /** A stream that is decoded within the memory of the budget. */
  private static final class BoundedStream extends COSStream {
    /** The filters that text, fonts and objects can have; all others belong to images. */
    private static final Set<String> FILTERS =
        Set.of(
            "FlateDecode",
            "Fl",
            "LZWDecode",
            "LZW",
            "ASCII85Decode",
            "A85",
            "ASCIIHexDecode",
            "AHx",
            "RunLengthDecode",
            "RL",
            "Crypt");

    private static final int MAX_FILTERS = 4;

    /** The most bits of a row; the library keeps each row twice. */
    private static final long MAX_ROW_BITS = 8L << 20;

    private final ReadingBudget budget;

    BoundedStream(RandomAccessStreamCache scratch, RandomAccessReadView raw, ReadingBudget budget)
        throws IOException {
      super(scratch, raw);
      this.budget = budget;
    }

    @Override
    public COSInputStream createInputStream(DecodeOptions options) throws IOException {
      return new DecodedStream(decodeAll(), budget).createInputStream();
    }

    @Override
    public RandomAccessRead createView() throws IOException {
      boolean isObjectStream = COSName.OBJ_STM.equals(getCOSName(COSName.TYPE));
      return new CountedRead(decodeAll(), budget, isObjectStream);
    }

    private byte[] decodeAll() throws IOException {
      byte[] bytes = applyFilters();
      FontCharacters.check(bytes); // the library may read any stream as a font
      return bytes;
    }

    private byte[] applyFilters() throws IOException {
      List<COSName> filters = filters();
      InputStream input = createRawInputStream();
      if (filters.isEmpty()) {
        var out = new BudgetedOutput(budget);
        input.transferTo(out);
        return out.bytes.toByteArray();
      }
      checkRows();
      byte[] bytes = {};
      for (int i = 0; i < filters.size(); i++) {
        var out = new BudgetedOutput(budget);
        FilterFactory.INSTANCE.getFilter(filters.get(i)).decode(input, out, this, i);
        bytes = out.bytes.toByteArray();
        input = new ByteArrayInputStream(bytes);
      }
      return bytes;
    }

    private List<COSName> filters() throws IOException {
      COSBase filters = getFilters();
      var names = new ArrayList<COSName>();
      if (filters instanceof COSName name) {
        names.add(name);
      } else if (filters instanceof COSArray array) {
        for (int i = 0; i < array.size() && names.size() <= MAX_FILTERS; i++) {
          if (array.getObject(i) instanceof COSName name) {
            names.add(name);
          }
        }
      }
      boolean areKnown = names.stream().allMatch(name -> FILTERS.contains(name.getName()));
      if (names.size() > MAX_FILTERS || !areKnown) {
        throw new IOException("a stream that is no text");
      }
      return names;
    }

    private void checkRows() throws IOException {
      COSBase parameters = getDictionaryObject(COSName.DECODE_PARMS, COSName.DP);
      if (parameters instanceof COSArray array) {
        for (int i = 0; i < Math.min(array.size(), MAX_FILTERS); i++) {
          checkRow(array.getObject(i));
        }
      } else {
        checkRow(parameters);
      }
    }

    private static void checkRow(COSBase object) throws IOException {
      if (object instanceof COSDictionary parameters) {
        long rowBits = 1;
        for (COSName factor :
            List.of(COSName.COLUMNS, COSName.COLORS, COSName.BITS_PER_COMPONENT)) {
          long value = parameters.getInt(factor, 1);
          if (value < 1 || value > MAX_ROW_BITS || (rowBits *= value) > MAX_ROW_BITS) {
            throw new IOException("rows too long to be text");
          }
        }
      }
    }
  }

  /** Collects the bytes a stream expands to, charging them to the budget. */
  private static final class BudgetedOutput extends OutputStream {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final ReadingBudget budget;

    BudgetedOutput(ReadingBudget budget) {
      this.budget = budget;
    }

    @Override
    public void write(int value) {
      budget.chargeExpansion(bytes.size(), 1);
      bytes.write(value);
    }

    @Override
    public void write(byte[] from, int offset, int length) {
      budget.chargeExpansion(bytes.size(), length);
      bytes.write(from, offset, length);
    }
  }

  /** A stream of decoded bytes; only a stream can create a {@link COSInputStream}. */
  private static final class DecodedStream extends COSStream {
    private final byte[] bytes;
    private final ReadingBudget budget;

    DecodedStream(byte[] bytes, ReadingBudget budget) {
      this.bytes = bytes;
      this.budget = budget;
    }

    @Override
    public InputStream createRawInputStream() {
      return new FilterInputStream(new ByteArrayInputStream(bytes)) {
        @Override
        public int read() throws IOException {
          budget.chargeWork(1);
          return super.read();
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
          int read = super.read(into, offset, length);
          budget.chargeWork(Math.max(0, read) / ReadingBudget.STEP + 1);
          return read;
        }
      };
    }
  }

  /**
   * Charges the bytes a parser reads to the budget; bytes read one by one may begin objects, which
   * are charged too.
   */
  private static final class CountedRead implements RandomAccessRead {
    private final byte[] bytes;
    private final RandomAccessReadBuffer buffer;
    private final ReadingBudget budget;
    private final boolean keepsObjects;

    /**
     * @param keepsObjects whether the objects read are kept as long as the document
     */
    CountedRead(byte[] bytes, ReadingBudget budget, boolean keepsObjects) {
      this.bytes = bytes;
      this.buffer = new RandomAccessReadBuffer(bytes);
      this.budget = budget;
      this.keepsObjects = keepsObjects;
    }

    @Override
    public int read() throws IOException {
      int value = buffer.read();
      budget.chargeWork(1);
      if (value == '<' || value == '[' || value == '(' || value == '/') {
        budget.chargeObject(keepsObjects);
      }
      return value;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int count = buffer.read(into, offset, length);
      budget.chargeWork(Math.max(0, count) / ReadingBudget.STEP + 1);
      return count;
    }

    @Override
    public long getPosition() throws IOException {
      return buffer.getPosition();
    }

    @Override
    public void seek(long position) throws IOException {
      buffer.seek(position);
    }

    @Override
    public long length() throws IOException {
      return buffer.length();
    }

    @Override
    public boolean isClosed() {
      return buffer.isClosed();
    }

    @Override
    public boolean isEOF() throws IOException {
      return buffer.isEOF();
    }

    @Override
    public RandomAccessReadView createView(long start, long length) {
      return new RandomAccessReadView(new CountedRead(bytes, budget, keepsObjects), start, length);
    }

    @Override
    public void close() throws IOException {
      buffer.close();
    }
  }
}
