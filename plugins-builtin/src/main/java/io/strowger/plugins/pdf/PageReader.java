package io.strowger.plugins.pdf;

import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import org.apache.pdfbox.contentstream.operator.Operator;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.text.PDFTextStripper;
import org.apache.pdfbox.text.TextPosition;

/** Extracts the text of single pages within a budget. */
final class PageReader extends PDFTextStripper {
  /** The most glyphs of one page; each is kept until the page is written. */
  private static final int MAX_GLYPHS = 200_000;

  private final ReadingBudget budget;
  private int glyphs;

  PageReader(ReadingBudget budget) {
    this.budget = budget;
    setStartPage(0); // pages are passed in without numbers
    setLineSeparator("\n");
    setPageEnd("");
    setShouldSeparateByBeads(false);
  }

  String read(PDDocument source, PDPage page) throws IOException {
    budget.beginPage();
    glyphs = 0;
    var text = new StringWriter();
    document = source;
    output = text;
    processPage(page);
    return text.toString().strip();
  }

  @Override
  protected void processOperator(Operator operator, List<COSBase> operands) throws IOException {
    budget.chargeWork(ReadingBudget.STEP + operands.size());
    super.processOperator(operator, operands);
  }

  @Override
  protected void processTextPosition(TextPosition glyph) {
    budget.chargeWork(ReadingBudget.STEP);
    if (++glyphs <= MAX_GLYPHS) {
      super.processTextPosition(glyph);
    } else {
      budget.rejectGlyphs(MAX_GLYPHS);
    }
  }
}
