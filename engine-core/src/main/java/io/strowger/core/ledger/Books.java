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
  @Nullable Book known(Payer payer) {
    return byKind.get(payer.kind().ordinal()).get(payer.id());
  }

  private Book of(Payer payer) {
    Book known = known(payer);
    return known != null
        ? known
        : byKind
            .get(payer.kind().ordinal())
            .computeIfAbsent(payer.id(), id -> new Book(payer, stripes));
  }

  /**
   * Returns the group of these payers.
   *
   * @throws IllegalArgumentException when there is no payer, or one is named twice
   */
  PayerGroup party(List<Payer> payers) {
    if (payers.isEmpty()) {
      throw new IllegalArgumentException("there must be at least one payer");
    }
    Book first = of(payers.get(0));
    PayerGroup known = first.party();
    if (known != null && known.isOf(payers)) {
      return known;
    }
    PayerGroup party = newParty(payers);
    first.remember(party);
    return party;
  }

  private PayerGroup newParty(List<Payer> given) {
    var payers = given.toArray(new Payer[0]);
    var books = new Book[payers.length];
    for (int i = 0; i < books.length; i++) {
      Payer payer = payers[i];
      Book book = of(payer);
      int at = i;
      for (; at > 0 && books[at - 1].compareTo(book) >= 0; at--) {
        if (books[at - 1] == book) {
          throw new IllegalArgumentException("the payer " + payer + " is named twice");
        }
        books[at] = books[at - 1];
        payers[at] = payers[at - 1];
      }
      books[at] = book;
      payers[at] = payer;
    }
    return new PayerGroup(given, payers, books, stripes);
  }

  /** Adds all books to a collection. */
  void addTo(Collection<Book> all) {
    byKind.forEach(books -> all.addAll(books.values()));
  }
}
