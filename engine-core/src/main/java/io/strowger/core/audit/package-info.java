/**
 * The audit log: who changed what, from where, and when. Makes the entries; the services that make
 * a change write its entry with it, in one transaction.
 */
@NullMarked
package io.strowger.core.audit;

import org.jspecify.annotations.NullMarked;
