package io.strowger.core.ledger;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The books of a node. A payer's book is created for its first hold, and never removed. */
final class Books {
  private final Stripes stripes;
  private final List<Map<String, Book>> byKind; // in the order of Payer.Kind

  Books(Stripes stripes) {
    this.stripes = stripes;
    byKind =
        List.of(
            new ConcurrentHashMap<>(),
            new ConcurrentHashMap<>(),
            new ConcurrentHashMap<>(),
            new ConcurrentHashMap<>());
  }

  /** Returns the book of a payer; null when nothing was ever held for it on this node. */
  @Nullable Book find(Payer payer) {
    return byKind.get(payer.kind().ordinal()).get(payer.id());
  }

  private Book getOrCreate(Payer payer) {
    Book book = find(payer);
    return book != null
        ? book
        : byKind
            .get(payer.kind().ordinal())
            .computeIfAbsent(payer.id(), id -> new Book(payer, stripes));
  }

  /**
   * Returns the group of these payers.
   *
   * @throws IllegalArgumentException when there is no payer, or one is named twice
   */
  PayerGroup payerGroup(List<Payer> payers) {
    if (payers.isEmpty()) {
      throw new IllegalArgumentException("there must be at least one payer");
    }
    Book first = getOrCreate(payers.get(0));
    PayerGroup latest = first.payerGroup();
    if (latest != null && latest.matches(payers)) {
      return latest;
    }
    PayerGroup payerGroup = createPayerGroup(payers);
    first.setPayerGroup(payerGroup);
    return payerGroup;
  }

  private PayerGroup createPayerGroup(List<Payer> listedPayers) {
    var payers = listedPayers.toArray(new Payer[0]);
    var books = new Book[payers.length];
    for (int i = 0; i < books.length; i++) {
      Payer payer = payers[i];
      Book book = getOrCreate(payer);
      int index = i;
      for (; index > 0 && books[index - 1].compareTo(book) >= 0; index--) {
        if (books[index - 1] == book) {
          throw new IllegalArgumentException("the payer " + payer + " is named twice");
        }
        books[index] = books[index - 1];
        payers[index] = payers[index - 1];
      }
      books[index] = book;
      payers[index] = payer;
    }
    return new PayerGroup(listedPayers, payers, books, stripes);
  }

  /** Adds all books to a collection. */
  void addTo(Collection<Book> target) {
    byKind.forEach(books -> target.addAll(books.values()));
  }
}
