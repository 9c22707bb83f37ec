"""Words that every article may use: names, places, days, and sentences about no topic at all."""
# ruff: noqa: E501 - a list of choices is easier to mend on one line

__all__ = ["FIRST", "FRAMES", "HAN_GIVEN", "HAN_SURNAMES", "LAST", "SHARED", "SOURCES"]

FIRST = """Ada Bram Clara Dorin Edith Farid Greta Hugo Ines Jonas Katya Lewis Marta Nadim Olive Pavel Quinn Rosa
Samir Tilda Ulrich Vera Walt Ximena Yusuf Zelda Anton Beate Cyril Dunja Emil Freya""".split()
LAST = """Achterberg Bellweather Corrigan Dunmore Eskola Farrow Grantley Hallam Ivanic Jessop Kerrigan Lindqvist
Marchetti Norwood Okafor Pemberton Quayle Rasmussen Sandoval Thackeray Umber Vandermeer Whitlock Yarrow Zielinski
Ashdown Birchall Castellan Drummond Eversley Fontaine Gilchrist""".split()
HAN_SURNAMES = "王 李 张 刘 陈 杨 赵 周 吴 徐 孙 胡 林 何 郭 罗".split()
HAN_GIVEN = "建国 志强 秀英 小燕 晓明 文静 海波 春梅 立新 玉兰 国栋 雨桐 思远 长顺 月华 德生 佳怡 一鸣".split()

SHARED = {
    "en": """
Town: Aldermoor | Brackwater | Carrow | Dunsely | Eastmere | Fennick | Greywell | Hartsea | Inverlay | Kelderby | Lowick | Marrowby
Town2: Netherby | Oakhaven | Penmarsh | Quillford | Rushden Bay | Saltash Cross | Thornwick | Ulverbeck
few: three | four | five | six | seven | eight | nine | ten
month: January | February | March | April | May | June | July | August | September | October | November | December
weekday: Monday | Tuesday | Wednesday | Thursday | Friday | Saturday | Sunday
said: said | explained | admitted | replied | added
""",
    "zh": """
Town: 临江 | 云岭 | 东湖 | 安澜 | 白石 | 清河 | 望海 | 松原镇
Town2: 南浦 | 北亭 | 石桥 | 金沙渡 | 长宁坝 | 柳州塘
few: 三 | 四 | 五 | 六 | 七 | 八 | 九
month: 一月 | 二月 | 三月 | 四月 | 五月 | 六月 | 七月 | 八月 | 九月 | 十月
weekday: 周一 | 周二 | 周三 | 周四 | 周五 | 周六 | 周日
""",
}

FRAMES = {
    "en": """
{Person} spoke to this reporter on {weekday}, between two telephone calls and a late lunch.
"Ask me again in {month}," {Surname} {said}, "and I may have a better answer for you."
{Other}, from {Town2}, has followed the matter for {few} years and does not agree.
The figures were published on {weekday} and have been checked by {few} people who did not draw them up.
Not everyone in {Town} is pleased, as a walk down the high street soon shows.
A longer version of the report can be read in the reading room, by appointment.
{Othername} keeps a cutting about it from {1981-2009} folded in a wallet.
It was raining in {Town2}, and the meeting began {few} minutes late.
"We were lucky," {Surname} {said}, and shrugged, and looked at the clock.
Twice this year something similar has been reported from {Town2}.
Whether it can be repeated next year, nobody who was asked would promise.
{Person} was born in {Town2} and came here at the age of {5-40}.
""",
    "zh": """
{Person}接受采访时说，这件事急不得，要看{month}以后的情况。
相关数据于{weekday}公布，并由{few}位独立人士核对。
记者在{Town}走访了{few}户人家，说法不尽相同。
“明年再来看看吧。”{Person}笑着说。
类似的情况在{Town2}也出现过{few}次。
{Person}是{Town2}人，来这里已经{5-40}年了。
当天下着小雨，活动推迟了{few}十分钟才开始。
也有居民表示担心，希望听到更详细的说明。
报道的完整版可以在资料室预约查阅。
""",
}

SOURCES = {
    "en": [
        "Harbour Wire",
        "The Fennick Courier",
        "Northern Dispatch",
        "Open Ledger",
        "Meridian Press",
        "Lowland Post",
    ],
    "zh": ["临江日报", "云岭晚报", "东湖新闻网", "清河电视台", "望海通讯社"],
}
