// A strict reader of the XML inside slide files: elements and their attributes, in order. What it does not understand it
// refuses.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace morpho::slide {

struct XmlAttribute {
  std::string name;   ///< as written, with its prefix
  std::string value;  ///< UTF-8; references are replaced, white space is as the standard normalises it
};
/// The part of a name behind its prefix. libxml2 finds attributes by it, whatever the prefix.
std::string_view local_name(std::string_view name);

struct XmlElement {
  std::string name;  ///< as written, with its prefix
  std::vector<XmlAttribute> attributes;
  /// The attribute of that local name, or null; also where several have it, and then the first.
  const XmlAttribute* find(std::string_view local) const;
};

/// Gets every element as it opens; `path` holds the local names from the root to it, itself included.
using XmlVisitor = std::function<void(const XmlElement& element, const std::vector<std::string>& path)>;

/// Gets what is written between tags, references replaced, where it is more than white space; `path` as above.
using XmlTextVisitor = std::function<void(const std::string& text, const std::vector<std::string>& path)>;

/// Reads one document. Gives an empty text, or what is wrong with it ("has no end of a comment", "has a document type"); the
/// visitor has then seen the elements before the error. Well-formed documents in UTF-8, US-ASCII, ISO-8859-1 or windows-1252
/// are read. Refused are other encodings, document types (they hold entities and default attributes), references to other
/// entities than the five of the standard, names that are not ASCII, and more than 200 elements one in another. Cost: one pass;
/// memory: one element at a time.
std::string read_xml(std::string_view text, const XmlVisitor& visit, const XmlTextVisitor& said = {});

/// `text` up to its first zero byte, as a C library sees it.
std::string_view until_zero(std::string_view text);

}  // namespace morpho::slide
