// The strict reader of XML: what it reads exactly, and what it refuses.
#include "slide/xml_reader.hpp"

namespace morpho::test {
namespace {

/// Every element as path(name=value,…), or what is wrong with the text.
std::string xml_told(const std::string& xml) {
  std::string out;
  const std::string problem = slide::read_xml(xml, [&out](const slide::XmlElement& e, const std::vector<std::string>& path) {
    for (const std::string& step : path) out += "/" + step;
    out += "(";
    for (const slide::XmlAttribute& a : e.attributes) out += a.name + "=" + a.value + ",";
    out += ")";
  });
  return problem.empty() ? out : "refused: " + problem;
}
bool xml_refuses(const std::string& xml) { return xml_told(xml).rfind("refused: ", 0) == 0; }

TEST(XmlReader, ReadsElementsAndAttributes) {
  EXPECT_EQ(
      xml_told("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- <x/> --><a b='1' c = \"2\"\n><d/>text<d e=\"\"/></a >\n"),
      "/a(b=1,c=2,)/a/d()/a/d(e=,)");
  EXPECT_EQ(xml_told("<a n=\">\" m='&#45;5&#x2d;&amp;&lt;&gt;&apos;&quot;'/>"), "/a(n=>,m=-5-&<>'\",)");
  EXPECT_EQ(xml_told("<a b=\"1\r\n2\t3\"/>"), "/a(b=1 2 3,)");
  EXPECT_EQ(xml_told("<o:a xmlns:o=\"u\" o:b=\"1\"><![CDATA[<c/> & ]] ]]></o:a>"), "/a(xmlns:o=u,o:b=1,)");
  EXPECT_EQ(xml_told("\xEF\xBB\xBF<a u=\"µm\"><?pi <x/> ?></a>"), "/a(u=µm,)");
  EXPECT_EQ(xml_told("<?xml version='1.0' encoding='ISO-8859-1' standalone='yes'?><a u='\xB5m'/>"), "/a(u=µm,)");
}

TEST(XmlReader, RefusesWhatItDoesNotUnderstand) {
  for (const char* xml : {"",
                          " ",
                          "a",
                          "<a>",
                          "<a></b>",
                          "</a>",
                          "<a/><b/>",
                          "<a/>text",
                          "<a b=1/>",
                          "<a b='1' b='2'/>",
                          "<a b/>",
                          "<a b='1'c='2'/>",
                          "<a b='<'/>",
                          "<a b='&e;'/>",
                          "<a b='&'/>",
                          "<a>&e;</a>",
                          "<a>]]></a>",
                          "<a b='&#0;'/>",
                          "<a b='&#xFFFF;'/>",
                          "<a b='&#99999999999;'/>",
                          "<a b='&#x;'/>",
                          "<a b='&#-45;'/>",
                          "<a b='1'",
                          "<!-- --",
                          "<a><!-- -- --></a>",
                          "<a><![CDATA[</a>",
                          "<![CDATA[x]]><a/>",
                          "<!DOCTYPE a><a/>",
                          "<!DOCTYPE a [<!ATTLIST a b CDATA '-5'>]><a/>",
                          "<a><!ELEMENT b></a>",
                          "<?xml version='1.1'?><a/>",
                          "<?xml encoding='UTF-8'?><a/>",
                          "<?xml?><a/>",
                          "<a/><?xml version='1.0'?>",
                          " <?xml version='1.0'?><a/>",
                          "<?xml version='1.0' encoding='UTF-16'?><a/>",
                          "<?xml version='1.0' encoding='UTF-7'?><a/>",
                          "<a b='\xFF'/>",
                          "<a b='\x01'/>",
                          "<ä/>",
                          "<1a/>",
                          "<a:/>",
                          "<:a/>",
                          "<a:b:c/>",
                          "<a ä='1'/>"})
    EXPECT_TRUE(xml_refuses(xml)) << xml;
  EXPECT_TRUE(xml_refuses(std::string("\xFF\xFE<\0a\0/\0>\0", 10)));
  EXPECT_TRUE(xml_refuses(std::string("<\0a\0/\0>\0", 8)));
  EXPECT_TRUE(xml_refuses(std::string("<a/>\0", 5)));
  std::string deep;
  for (int k = 0; k < 100000; ++k) deep += "<a>";
  EXPECT_TRUE(xml_refuses(deep));
}

TEST(XmlReader, EndsOnAnyText) {
  const std::string good = "<?xml version=\"1.0\"?><a b='&#45;'><!-- c --><d e=\"f\"/><![CDATA[g]]>h</a>";
  std::mt19937 random(5);
  for (int k = 0; k < 20000; ++k) {
    std::string text = good;
    for (int changes = 1 + static_cast<int>(random() % 4); changes > 0; --changes) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0) text.erase(at, 1 + random() % 5);
      else if (random() % 2 == 0) text.insert(at, 1, "<>&;'\"=/!-?[] a\0\xFF"[random() % 17]);
      else text[at] = static_cast<char>(random());
      if (text.empty()) text = "<";
    }
    xml_told(text);
  }
}

}  // namespace
}  // namespace morpho::test
